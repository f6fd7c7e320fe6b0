import { Fragment } from 'react';
import { textParts, visibleText } from '../data/results/visible-text.js';
import { cx } from './class-names.js';
import styles from './untrusted-text.module.css';

/**
 * Text from events: isolated from the direction of its neighbors, and with marks in place of
 * control characters. All values and field names are rendered with it.
 */
export function UntrustedText({ text }: { readonly text: string }) {
  return (
    <bdi>
      <TextWithMarks text={text} />
    </bdi>
  );
}

/** Text inside an isolated element. */
export const TextWithMarks = ({ text }: { readonly text: string }) =>
  textParts(text).map((part, index) =>
    part.code === undefined ? (
      part.text
    ) : (
      <span key={index} className={styles.control} title={`Control character ${part.code}`}>
        {part.text}
      </span>
    ),
  );

/** A name that may break after its separators, not within words. */
export const BreakableName = ({ name }: { readonly name: string }) => (
  <bdi>
    {visibleText(name)
      .split(/(?<=[_.:/])/)
      .map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
  </bdi>
);

/** A field name that is truncated at the front: long names differ at the end. */
export const FieldName = ({ name, className }: { readonly name: string; readonly className?: string | undefined }) => (
  <span className={cx(styles.name, className)}>
    {/* Left-to-right again: only the side of the ellipsis changes. */}
    <bdi dir="ltr">{visibleText(name)}</bdi>
  </span>
);
