import { memo } from 'react';
import { textOf } from '../data/answers/cells.js';
import { parseInstant } from '../data/time/instants.js';
import { zonedText } from '../data/time/zones.js';
import { cx } from '../widgets/class-names.js';
import { levelOf } from './known-fields.js';
import styles from './log-row.module.css';
import type { RowSource } from './row-source.js';
import { inOneLine, StyledText, Value } from './value.js';
import { TraceLink } from './trace-links.js';
import { useValueMenu } from './value-menu.js';
import { wasClick } from './was-click.js';

/** How many fields stand behind a message when nobody chose them. */
const MOST_PAIRS = 12;
const SHOWN = 1024;

export interface LogLayout {
  readonly message: string | undefined;
  readonly level: string | undefined;
  /** Fields behind the message; all that have a value, if nobody chose. */
  readonly chosen: readonly string[];
}

/** An event as a line: when, how bad, what, and the rest of it. */
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
  /** Of its cells: in a table that is no grid, another one. */
  readonly role?: 'gridcell' | 'cell';
}) {
  const openMenu = useValueMenu();
  const { message, level, chosen } = layout;
  const time = source.cell(row, '_time');
  const instant = typeof time === 'string' ? parseInstant(time) : undefined;
  const levelled = level === undefined ? undefined : levelOf(source.cell(row, level));
  const said = message === undefined ? null : source.cell(row, message);
  // The message is there already.
  const pairs = chosen.length > 0 ? chosen.filter((name) => name !== message) : otherFields(source, row, layout);
  return (
    <>
      <time className={styles.time} dateTime={String(time)} title={String(time)} role={role}>
        {instant === undefined ? textOf(time) : zonedText(instant, zone, 3)}
      </time>
      <span role={role} className={cx(styles.level, levelled !== undefined && styles[levelled.tone])}>
        {levelled?.letter ?? ''}
      </span>
      <span role={role} className={cx(styles.line, wrap && styles.wraps)}>
        {said !== null && (
          <span className={styles.message}>
            <StyledText text={wrap ? textOf(said) : inOneLine(textOf(said).slice(0, SHOWN))} />
          </span>
        )}
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
              <span className={styles.name}>{name}=</span>
              <TraceLink source={source} row={row} field={name} cell={cell}>
                <Value cell={cell} type={type} zone={zone} wrap={wrap} />
              </TraceLink>
            </span>
          );
        })}
      </span>
    </>
  );
});

function otherFields(source: RowSource, row: number, { message, level }: LogLayout): readonly string[] {
  const names: string[] = [];
  // Never all fields of a wide dataset for one line.
  for (const { name } of source.fields.slice(0, 300)) {
    if (name === '_time' || name === '_sysTime' || name === message || name === level) continue;
    if (source.cell(row, name) === null) continue;
    names.push(name);
    if (names.length === MOST_PAIRS) break;
  }
  return names;
}

/** What a screen reader says about the line. */
export function logRowSentence(source: RowSource, row: number, { message, level }: LogLayout): string {
  const parts = [
    textOf(source.cell(row, '_time')),
    level === undefined ? '' : textOf(source.cell(row, level)),
    message === undefined ? '' : textOf(source.cell(row, message)).slice(0, 200),
  ];
  return parts.filter((each) => each !== '').join(', ');
}
