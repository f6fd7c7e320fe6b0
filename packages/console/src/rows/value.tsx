import { memo } from 'react';
import type { Cell } from '../data/answers/cells.js';
import { parseInstant } from '../data/time/instants.js';
import { zonedText } from '../data/time/zones.js';
import { cx } from '../widgets/class-names.js';
import { styledText } from './ansi.js';
import { markedParts, useMarks } from './marks.js';
import styles from './value.module.css';

/** Beyond this a cell of a row shows no more: no row is wide enough. */
const SHOWN_IN_ROW = 512;

/** What breaks a line, also where the style says that nothing does, with the indent behind it. */
const BREAK = /(?:\r\n|[\n\r\v\f\u0085\u2028\u2029])\s*/g;

/** A text in a row of one line: its other lines would lie over the rows below. */
export const inOneLine = (text: string): string => text.replaceAll(BREAK, ' ⏎ ');

/** A value in a row or in the detail. What is null, empty or the word "null" looks different. */
export const Value = memo(function Value({
  cell,
  type,
  zone,
  wide = false,
  wrap = false,
}: {
  readonly cell: Cell;
  readonly type: string;
  readonly zone: string;
  /** With all that the page has of it. */
  readonly wide?: boolean;
  /** In a row that is as tall as its lines. */
  readonly wrap?: boolean;
}) {
  const shown = (text: string): string => {
    if (wide) return text;
    const begins = text.slice(0, SHOWN_IN_ROW);
    return wrap ? begins : inOneLine(begins);
  };
  if (cell === null) return <span className={styles.nothing}>null</span>;
  switch (typeof cell) {
    case 'boolean':
    case 'bigint':
    case 'number':
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
      return <StyledText text={shown(cell)} />;
    }
    case 'object':
      return (
        <>
          <span className={cx((cell.kind === 'json' || cell.isJson) && styles.json)}>
            {shown(cell.kind === 'json' ? cell.text : cell.head)}
          </span>
          {cell.kind === 'long' && <span className={styles.more}>… {sizeText(cell.length)}</span>}
        </>
      );
  }
});

export const sizeText = (units: number): string =>
  units < 1e4
    ? `${units} characters`
    : units < 1e6
      ? `${Math.round(units / 1000)} k characters`
      : `${(units / 1e6).toFixed(1)} M characters`;

/** Each text has its own direction, and cannot turn that of its neighbours. */
export const StyledText = ({ text }: { readonly text: string }) => (
  <bdi>
    {styledText(text).map(({ text, colour, bold }, index) =>
      colour === undefined && bold !== true ? (
        <MarkedText key={index} text={text} />
      ) : (
        <span
          key={index}
          style={{
            ...(colour !== undefined && { color: `var(--${colour})` }),
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
  if (words.length === 0) return text;
  return markedParts(text, words).map((part, index) =>
    part.mark === undefined ? (
      part.text
    ) : (
      <mark key={index} className={styles.mark} data-mark={part.mark}>
        {part.text}
      </mark>
    ),
  );
}
