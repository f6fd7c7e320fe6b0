import { memo } from 'react';
import { textOf } from '../data/results/cells.js';
import { parseInstant } from '../data/time/instants.js';
import { zonedText } from '../data/time/zones.js';
import { cx } from '../widgets/class-names.js';
import { visibleText } from '../data/results/visible-text.js';
import { countOf } from '../data/format-units.js';
import { LevelMark } from './level-mark.js';
import styles from './log-row.module.css';
import type { RowSource } from './row-source.js';
import { beginningOf, inOneLine, More, StyledText, Value } from './value.js';
import { mayBeTrace, TraceLink } from './trace-links.js';
import { useValueMenu } from './value-menu.js';
import { wasClick } from './is-click.js';

/** Default number of fields after a message. */
const MAX_PAIRS = 12;
/** Characters of a message in a single line: more does not fit. */
const SHOWN = 1024;

export interface LogLayout {
  readonly message: string | undefined;
  readonly level: string | undefined;
  /** Fields before the message; by default, all with a value follow it. */
  readonly chosen: readonly string[];
}

/** An event as a line: time, level, message and fields. */
export const LogRow = memo(function LogRow({
  source,
  row,
  layout,
  zone,
  wrap,
  role = 'gridcell',
}: {
  readonly source: RowSource;
  readonly row: number;
  readonly layout: LogLayout;
  readonly zone: string;
  readonly wrap: boolean;
  /** ARIA role of its cells, which differs outside a grid. */
  readonly role?: 'gridcell' | 'cell';
}) {
  const openMenu = useValueMenu();
  const { message, level } = layout;
  const time = source.cell(row, '_time');
  const instant = typeof time === 'string' ? parseInstant(time) : undefined;
  const messageCell = message === undefined ? null : source.cell(row, message);
  const { pairs, more } = rowPairs(source, row, layout);
  const isChosen = chosenPairs(layout).length > 0;
  const text = textOf(messageCell);
  const begins = wrap ? text : beginningOf(text, SHOWN);
  const length =
    typeof messageCell === 'object' && messageCell !== null && messageCell.kind === 'long'
      ? messageCell.length
      : text.length;
  const sentence = messageCell !== null && (
    <span className={styles.message}>
      <StyledText text={wrap ? begins : inOneLine(begins)} />
      <More left={length - begins.length} />
    </span>
  );
  return (
    <>
      <time className={styles.time} dateTime={String(time)} title={String(time)} role={role}>
        {instant === undefined ? textOf(time) : <LogTime text={zonedText(instant, zone, 3)} />}
      </time>
      <LevelMark role={role} cell={level === undefined ? null : source.cell(row, level)} />
      <span role={role} className={cx(styles.line, wrap && styles.wraps)}>
        {!isChosen && sentence}
        {pairs.map((name) => {
          const cell = source.cell(row, name);
          const type = source.typeOf(name);
          return (
            <span
              key={name}
              className={styles.pair}
              onClick={(event) => {
                if (!wasClick(event)) return;
                event.preventDefault();
                openMenu(event, { field: name, type, cell, row });
              }}
            >
              <span className={styles.name}>{visibleText(name)}=</span>
              {mayBeTrace(name) ? (
                <TraceLink source={source} row={row} field={name} cell={cell}>
                  <Value cell={cell} type={type} zone={zone} wrap={wrap} />
                </TraceLink>
              ) : (
                <Value cell={cell} type={type} zone={zone} wrap={wrap} />
              )}
            </span>
          );
        })}
        {isChosen && sentence}
        {more > 0 && <span className={styles.more}>+{countOf(more, 'field')}</span>}
        {messageCell === null && pairs.length === 0 && <span className={styles.more}>No fields</span>}
      </span>
    </>
  );
});

/** Day and time; narrow screens show only the time. */
function LogTime({ text }: { readonly text: string }) {
  const [day, ...rest] = text.split(' ');
  return (
    <>
      <span className={styles.day}>{day}</span> {rest.join(' ')}
    </>
  );
}

/** Chosen fields that the line does not show elsewhere. */
const chosenPairs = ({ message, level, chosen }: LogLayout): readonly string[] =>
  chosen.filter((name) => name !== message && name !== level && name !== '_time');

interface RowPairs {
  readonly pairs: readonly string[];
  /** Number of further fields with a value. */
  readonly more: number;
}

/**
 * Fields next to the message: the chosen ones, or the first with a value. A row without message and
 * chosen values shows its first fields rather than nothing.
 */
export function rowPairs(source: RowSource, row: number, layout: LogLayout): RowPairs {
  const { message, level } = layout;
  const chosen = chosenPairs(layout);
  const has = (name: string): boolean => source.cell(row, name) !== null;
  if (layout.chosen.length > 0 && (chosen.some(has) || (message !== undefined && has(message))))
    return { pairs: chosen, more: 0 };
  const names: string[] = [];
  for (const { name } of source.present(row))
    if (name !== '_time' && name !== '_sysTime' && name !== message && name !== level) names.push(name);
  return { pairs: names.slice(0, MAX_PAIRS), more: Math.max(0, names.length - MAX_PAIRS) };
}

/** Screen reader label of the line. */
export function logRowSentence(source: RowSource, row: number, { message, level }: LogLayout): string {
  const parts = [
    textOf(source.cell(row, '_time')),
    level === undefined ? '' : textOf(source.cell(row, level)),
    message === undefined ? '' : textOf(source.cell(row, message)).slice(0, 200),
  ];
  return parts.filter((each) => each !== '').join(', ');
}
