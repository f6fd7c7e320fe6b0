import { useEffect, useMemo, useState } from 'react';
import { textOf } from '../../data/results/cells.js';
import { visibleText } from '../../data/results/visible-text.js';
import { usePreferences } from '../../data/preferences.js';
import type { TailRow } from '../../data/tail/tail-messages.js';
import type { useTail } from '../../data/tail/use-tail.js';
import { useFieldRoles } from '../../rows/field-roles.js';
import { levelField, messageField } from '../../rows/known-fields.js';
import { LogRow, logRowSentence } from '../../rows/log-row.js';
import { RowGrid } from '../../rows/row-grid.js';
import { Value } from '../../rows/value.js';
import { CopyButton } from '../../widgets/copy-button.js';
import { Drawer } from '../../widgets/overlays/dialog.js';
import { DescriptionList } from '../../widgets/description-list.js';
import { EmptyState } from '../../widgets/states.js';
import styles from './live.module.css';
import { NowLine } from './now-line.js';
import { fieldsOfRows, tailSource } from './tail-source.js';
import type { Earlier } from './use-earlier.js';
import type { usePaused } from './use-paused.js';

const nothing: ReadonlySet<number> = new Set();
const ignore = (): void => {};

/**
 * The visible rows. Scrolling away, selecting text or opening a row pauses the view, never the
 * stream.
 */
export function TailRows({
  tail: { state, row: rowOf },
  view,
  earlier,
  startedAt,
  wrap,
  chosen,
  isTop,
  dataset,
}: {
  readonly tail: ReturnType<typeof useTail>;
  readonly view: ReturnType<typeof usePaused>;
  readonly earlier: Earlier;
  /** Time of the line between earlier and new events. */
  readonly startedAt: string | undefined;
  readonly wrap: boolean;
  /** Fields after the message; all by default. */
  readonly chosen: readonly string[];
  /** The newest event is the first row. */
  readonly isTop: boolean;
  /** Whose fields for the message and the level are used. */
  readonly dataset: string | undefined;
}) {
  const roles = useFieldRoles(dataset);
  const { zone } = usePreferences();
  const [fields, setFields] = useState<readonly string[]>([]);
  const [active, setActive] = useState<number>();
  const [open, setOpen] = useState<TailRow>();
  const { base, rows, isPaused, pause } = view;
  useEffect(() => setFields((known) => fieldsOfRows(known, earlier.rows ?? [])), [earlier.rows]);
  useEffect(() => setFields((known) => fieldsOfRows(known, state?.newest ?? [])), [state]);
  useEffect(() => {
    if (!isPaused) setActive(undefined);
  }, [isPaused]);
  useEffect(() => {
    const selectRow = (): void => {
      const selection = getSelection();
      if (selection?.isCollapsed === false && selection.anchorNode?.parentElement?.closest('[data-tail]')) pause();
    };
    document.addEventListener('selectionchange', selectRow);
    return () => document.removeEventListener('selectionchange', selectRow);
  });
  const above = rowsAbove(earlier, base);
  const total = above + rows;
  /** Number of a row from the oldest; the line *now* is the last of those above the tail. */
  const fromOldest = (row: number): number => (isTop ? total - 1 - row : row);
  const isNow = (row: number): boolean => above > 0 && fromOldest(row) === above - 1;
  /** The event in a row of the view. */
  const at = (row: number): TailRow | undefined => {
    const place = fromOldest(row);
    return place < above ? earlier.rows?.[place] : rowOf(base + place - above);
  };
  const source = tailSource(total, fields, at);
  // The newest row while following; the user's position when paused.
  const newest = isTop ? (isPaused ? undefined : 0) : total - 1;
  const away = isTop ? /^(ArrowDown|PageDown|End)$/ : /^(ArrowUp|PageUp|Home)$/;
  const layout = useMemo(() => {
    const named = fields.map((name) => ({ name, type: '' }));
    return { message: messageField(named, roles), level: levelField(named, roles), chosen };
  }, [fields, chosen, roles]);
  if (state !== undefined && state.next === 0 && earlier.rows !== undefined && above === 0)
    return (
      <EmptyState title="No events yet">
        New events appear here in arrival order. A filter may hide all of them.
      </EmptyState>
    );
  return (
    <div
      className={styles.rows}
      data-tail
      onWheelCapture={({ deltaY }) => (isTop ? deltaY > 0 : deltaY < 0) && pause()}
      onTouchMove={pause}
      onKeyDownCapture={({ key }) => away.test(key) && pause()}
    >
      <RowGrid
        label="Events"
        rows={total}
        total={total}
        columns={3}
        render={(row) =>
          isNow(row) ? (
            <NowLine startedAt={startedAt} zone={zone} isTop={isTop} error={earlier.error} />
          ) : at(row) === undefined ? null : (
            <LogRow source={source} row={row} layout={layout} zone={zone} wrap={wrap} />
          )
        }
        describe={(row) => (isNow(row) ? 'Now' : logRowSentence(source, row, layout))}
        active={active ?? (total > 0 ? newest : undefined)}
        selected={nothing}
        onActive={(row) => {
          pause();
          setActive(isPaused ? row : undefined);
        }}
        onOpen={(row) => {
          pause();
          setOpen(at(row));
        }}
        onEnd={ignore}
        wrap={wrap}
      />
      {open !== undefined && <RowSheet row={open} zone={zone} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

/**
 * Rows above those of the tail: the earlier events and the line *now*. None once the view begins
 * after the first event of the tail, since the rows would not be consecutive.
 */
function rowsAbove({ rows = [], error }: Earlier, base: number): number {
  if (base > 0) return 0;
  return rows.length === 0 && error === undefined ? 0 : rows.length + 1;
}

/** All fields of one event. */
const RowSheet = ({
  row,
  zone,
  onClose,
}: {
  readonly row: TailRow;
  readonly zone: string;
  readonly onClose: () => void;
}) => (
  <Drawer title="Event" open onClose={onClose} wide>
    <DescriptionList
      facts={[
        ...[...row.cells].map(
          ([name, cell]) =>
            [
              visibleText(name),
              <span key={name} className={styles.value}>
                <Value cell={cell} type={name === '_time' || name === '_sysTime' ? 'datetime' : ''} zone={zone} wide />
                <CopyButton text={textOf(cell)} label={`Copy ${name}`} />
              </span>,
            ] as const,
        ),
        ['position', row.position] as const,
        ['cursor', <code key="cursor">{row.cursor}</code>] as const,
      ]}
    />
  </Drawer>
);
