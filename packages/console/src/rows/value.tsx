import { memo } from 'react';
import { type Cell, textOf } from '../data/results/cells.js';
import { roundedText } from '../data/format-units.js';
import { parseInstant } from '../data/time/instants.js';
import { zonedText } from '../data/time/zones.js';
import { cx } from '../widgets/class-names.js';
import { TextWithMarks, UntrustedText } from '../widgets/untrusted-text.js';
import { styledText } from './ansi.js';
import { highlightParts, useMarks } from './highlights.js';
import styles from './value.module.css';

/** Maximum characters of a cell: more does not fit a row. */
const SHOWN_IN_ROW = 512;

/** Line breaks, which some browsers render despite the style, with the following indent. */
const BREAK = /(?:\r\n|[\n\r\v\f\u0085\u2028\u2029])\s*/g;

/** A text in a single-line row: other lines would overlap the next rows. */
export const inOneLine = (text: string): string => text.replaceAll(BREAK, ' ⏎ ');

/** A value in a row or in the detail. Null, empty and the string "null" look different. */
export const Value = memo(function Value({
  cell,
  type,
  zone,
  wide = false,
  wrap = false,
  isAmount = false,
}: {
  readonly cell: Cell;
  readonly type: string;
  readonly zone: string;
  /** With all the text on the page. */
  readonly wide?: boolean;
  /** In a row of variable height. */
  readonly wrap?: boolean;
  /** Groups digits. */
  readonly isAmount?: boolean | undefined;
}) {
  const visibleText = (text: string): string => {
    if (wide) return text;
    const begins = beginningOf(text, SHOWN_IN_ROW);
    return wrap ? begins : inOneLine(begins);
  };
  if (cell === null) return <span className={styles.nothing}>null</span>;
  switch (typeof cell) {
    case 'number':
    case 'bigint': {
      const text = wide ? String(cell) : numberInRow(cell, isAmount);
      return (
        <span className={styles.number} title={text === String(cell) ? undefined : String(cell)}>
          {text}
        </span>
      );
    }
    case 'boolean':
      return <span className={styles.number}>{String(cell)}</span>;
    case 'string': {
      if (cell === '') return <span className={styles.nothing}>""</span>;
      const instant = type === 'datetime' ? parseInstant(cell) : undefined;
      if (instant !== undefined)
        return (
          <time dateTime={cell} title={cell}>
            {zonedText(instant, zone, wide ? 9 : 3)}
          </time>
        );
      const text = visibleText(cell);
      return (
        <>
          <StyledText text={text} />
          <More left={wide ? 0 : cell.length - beginningOf(cell, SHOWN_IN_ROW).length} />
        </>
      );
    }
    case 'object': {
      const text = cell.kind === 'json' ? cell.text : cell.head;
      const length = cell.kind === 'json' ? text.length : cell.length;
      return (
        <>
          <span className={cx((cell.kind === 'json' || cell.isJson) && styles.json)}>
            <UntrustedText text={visibleText(text)} />
          </span>
          <More left={length - (wide ? text : beginningOf(text, SHOWN_IN_ROW)).length} />
        </>
      );
    }
  }
});

/** Rounded; amounts in groups of three digits, others as numbers are typed in queries. */
function numberInRow(cell: number | bigint, isAmount: boolean): string {
  if (isAmount) return typeof cell === 'bigint' ? cell.toLocaleString('en') : roundedText(cell);
  return typeof cell === 'bigint' || Number.isInteger(cell) ? String(cell) : roundedText(cell).replaceAll(',', '');
}

/** Characters of a time in a row. */
const TIME_LENGTH = 23;

/** Number of characters of a value in a row. */
export function shownLength(cell: Cell, type: string, isAmount: boolean): number {
  if (cell === null) return 4;
  if (type === 'datetime') return TIME_LENGTH;
  if (typeof cell === 'number' || typeof cell === 'bigint') return numberInRow(cell, isAmount).length;
  // Marks of mixed types take one.
  return textOf(cell).length + (type.includes('|') ? 1 : 0);
}

/** The beginning of a text, without splitting a surrogate pair. */
export function beginningOf(text: string, length: number): string {
  const begins = text.slice(0, length);
  return begins.length < text.length && /[\uD800-\uDBFF]$/.test(begins) ? begins.slice(0, -1) : begins;
}

/** Marks a truncated text with the length of the rest. */
export const More = ({ left }: { readonly left: number }) =>
  left <= 0 ? null : <span className={styles.more}>… {sizeText(left)} more</span>;

export const sizeText = (units: number): string =>
  units < 1e4
    ? `${units} characters`
    : units < 1e6
      ? `${Math.round(units / 1000)}K characters`
      : `${(units / 1e6).toFixed(1)} M characters`;

/** Isolates the text direction, so that it cannot affect its neighbors. */
export const StyledText = ({ text }: { readonly text: string }) => (
  <bdi>
    {styledText(text).map(({ text, color, bold }, index) =>
      color === undefined && bold !== true ? (
        <MarkedText key={index} text={text} />
      ) : (
        <span
          key={index}
          style={{
            ...(color !== undefined && { color: `var(--${color})` }),
            ...(bold === true && { fontWeight: 600 }),
          }}
        >
          <MarkedText text={text} />
        </span>
      ),
    )}
  </bdi>
);

function MarkedText({ text }: { readonly text: string }) {
  const words = useMarks();
  if (words.length === 0) return <TextWithMarks text={text} />;
  return highlightParts(text, words).map((part, index) =>
    part.mark === undefined ? (
      <TextWithMarks key={index} text={part.text} />
    ) : (
      <mark key={index} className={styles.mark} data-mark={part.mark}>
        <TextWithMarks text={part.text} />
      </mark>
    ),
  );
}
