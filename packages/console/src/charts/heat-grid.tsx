import { type KeyboardEvent, type PointerEvent, useMemo, useState } from 'react';
import { zonedText } from '../data/time/zones.js';
import { keyCaps } from '../data/keys.js';
import { cx } from '../widgets/class-names.js';
import { Button } from '../widgets/inputs/button.js';
import styles from './shapes.module.css';
import type { HeatData } from './heat-data.js';
import { deepestOf } from './heat-scale.js';
import bar from './histogram.module.css';

const LEVELS = 9;

interface Cell {
  readonly row: number;
  readonly column: number;
}

/** A selected area: first and last times and rows, inclusive. */
export interface HeatPart {
  readonly columns: readonly [number, number];
  readonly rows: readonly [number, number];
}

/** An action on a selected area. */
export interface HeatAction {
  readonly id: string;
  readonly title: string;
  /** Active while the chart has focus. */
  readonly key: string;
  readonly run: (part: HeatPart) => void;
}

/**
 * Counts by time and scale as shades of one hue; empty cells are blank. An area can be selected by
 * mouse, or with Shift and arrow keys.
 */
export function HeatGrid({
  data,
  label,
  zone,
  format,
  actions = none,
}: {
  readonly data: HeatData;
  readonly label: string;
  readonly zone: string;
  readonly format: (value: number) => string;
  readonly actions?: readonly HeatAction[];
}) {
  const { times, rows, counts, max } = data;
  const deepest = useMemo(() => deepestOf(counts), [counts]);
  const [pointedAt, setPointed] = useState<Cell>();
  const isThere = ({ row, column }: Cell): boolean => row < rows.length && column < times.length;
  // A new result may have fewer rows or times than the cursor.
  const pointed = pointedAt !== undefined && isThere(pointedAt) ? pointedAt : undefined;
  /** Start of a selection, which extends to the cursor until it is fixed. */
  const [origin, setOrigin] = useState<Cell>();
  const [end, setEnd] = useState<Cell>();
  const [dragging, setDragging] = useState(false);
  const selected =
    origin === undefined || end === undefined || !isThere(origin) || !isThere(end) ? undefined : partOf(origin, end);
  const timeText = (at: number): string => zonedText(BigInt(Math.round(at)) * 1_000_000n, zone, 0);
  const description =
    pointed === undefined
      ? `up to ${format(max)}${deepest < max ? `, deepest from ${format(deepest)} on` : ''}`
      : `${timeText(times[pointed.column]!)} · ${rows[pointed.row]} · ${format(counts[pointed.row]![pointed.column]!)}`;
  const cellAt = (event: PointerEvent): Cell => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    return {
      column: clamp(Math.floor(((event.clientX - left) / width) * times.length), times.length),
      row: clamp(rows.length - 1 - Math.floor(((event.clientY - top) / height) * rows.length), rows.length),
    };
  };
  const forget = (): void => {
    setOrigin(undefined);
    setEnd(undefined);
  };
  const act = ({ run }: HeatAction, part: HeatPart): void => {
    forget();
    run(part);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const far = times.length;
    const step = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
      Home: [-far, 0],
      End: [far, 0],
    }[event.key];
    const action = actions.find(({ key }) => key === event.key);
    if (step !== undefined) {
      const next = {
        column: clamp((pointed?.column ?? -1) + step[0]!, times.length),
        row: clamp((pointed?.row ?? 0) + step[1]!, rows.length),
      };
      if (event.shiftKey && actions.length > 0) {
        setOrigin(origin ?? pointed ?? next);
        setEnd(next);
      } else forget();
      setPointed(next);
    } else if (action !== undefined && selected !== undefined) act(action, selected);
    else if (event.key === 'Escape' && selected !== undefined) forget();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <figure className={styles.heat} aria-label={`${label}: ${times.length} times, ${rows.length} rows, ${description}`}>
      <div className={styles.plot}>
        <div className={styles.scale} aria-hidden>
          <span>{rows.at(-1)}</span>
          <span>{rows[0]}</span>
        </div>
        <svg
          viewBox={`0 0 ${times.length} ${rows.length}`}
          preserveAspectRatio="none"
          role="application"
          aria-roledescription="chart"
          aria-label={`${label}: use arrow keys, Home and End to move between cells${actions.length > 0 ? ', hold Shift to select' : ''}`}
          tabIndex={0}
          onPointerDown={(event) => {
            if (event.button !== 0 || actions.length === 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            setOrigin(cellAt(event));
            setEnd(undefined);
            setDragging(true);
          }}
          onPointerMove={(event) => {
            const cell = cellAt(event);
            setPointed(cell);
            if (dragging) setEnd(cell);
          }}
          onPointerUp={() => setDragging(false)}
          onPointerLeave={() => !dragging && setPointed(undefined)}
          onKeyDown={onKeyDown}
        >
          {Array.from({ length: LEVELS }, (_, level) => (
            <path key={level} d={cellsAt(data, level, deepest)} style={{ fill: `var(--heat-${level + 1})` }} />
          ))}
          {selected !== undefined && (
            <rect
              className={styles.chosen}
              x={selected.columns[0]}
              y={rows.length - 1 - selected.rows[1]}
              width={selected.columns[1] - selected.columns[0] + 1}
              height={selected.rows[1] - selected.rows[0] + 1}
              vectorEffect="non-scaling-stroke"
            />
          )}
          {pointed !== undefined && (
            <rect
              className={styles.pointed}
              x={pointed.column}
              y={rows.length - 1 - pointed.row}
              width="1"
              height="1"
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
        {selected !== undefined && !dragging && (
          <div className={cx(bar.actions, styles.corner)} role="toolbar" aria-label="Selection actions">
            {actions.map((action) => (
              <Button key={action.id} small kind="quiet" onPress={() => act(action, selected)}>
                {action.title} <kbd aria-hidden>{keyCaps(action.key).join(' ')}</kbd>
              </Button>
            ))}
          </div>
        )}
      </div>
      <div className={styles.foot}>
        <span>{times.length > 0 && timeText(times[0]!).slice(5, 16)}</span>
        <span role="status">{description}</span>
        <span>{times.length > 0 && timeText(times.at(-1)!).slice(5, 16)}</span>
      </div>
    </figure>
  );
}

const none: readonly HeatAction[] = [];

const partOf = (a: Cell, b: Cell): HeatPart => ({
  columns: [Math.min(a.column, b.column), Math.max(a.column, b.column)],
  rows: [Math.min(a.row, b.row), Math.max(a.row, b.row)],
});

const clamp = (value: number, length: number): number => Math.max(0, Math.min(length - 1, value));

/** One path per shade: the DOM has nine elements for any result. */
function cellsAt({ counts, rows }: HeatData, level: number, deepest: number): string {
  const parts: string[] = [];
  for (const [row, line] of counts.entries())
    for (const [column, count] of line.entries()) {
      if (count <= 0) continue;
      // Keeps small counts visible next to large ones.
      const shade = Math.min(LEVELS - 1, Math.floor(Math.sqrt(count / deepest) * LEVELS));
      if (shade === level) parts.push(`M${column} ${rows.length - 1 - row}h1v1h-1z`);
    }
  return parts.join('');
}
