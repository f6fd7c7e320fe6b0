import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight, CircleAlert, Clock } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useCommands } from '../data/commands.js';
import { serviceColors } from '../theme/value-colors.js';
import { cx } from '../widgets/class-names.js';
import { Minimap } from './minimap.js';
import { type SpanNode, spanTime, type TraceRow, traceRows, type Window } from './span-tree.js';
import type { LoadedTrace } from './use-trace.js';
import { visibleText } from '../data/results/visible-text.js';
import { UntrustedText } from '../widgets/untrusted-text.js';
import styles from './waterfall.module.css';

const ROW = 24;
const BEYOND = 10;
/** Indentation per level in pixels, less in deep traces: names stay within their column. */
const INDENT = 14;
const MAX_INDENT = 160;
const TICKS = 4;
const NAMES_WIDTH = { min: 120, max: 900, step: 20 };

/** Spans over time, each below its parent. */
export function Waterfall({
  trace,
  selected,
  onSelect,
  dimmed,
  small = false,
}: {
  readonly trace: LoadedTrace;
  /** Key of the open span. */
  readonly selected: string | undefined;
  readonly onSelect: (node: SpanNode) => void;
  /** Spans that do not match a search. */
  readonly dimmed?: (node: SpanNode) => boolean;
  /** Compact: narrow names, no keyboard shortcuts. */
  readonly small?: boolean;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  const id = useId();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(() => new Set());
  const [active, setActive] = useState(0);
  const [view, setView] = useState<Window>();
  const [namesWidth, setNamesWidth] = useState(small ? 150 : 340);
  const rows = useMemo(() => traceRows(trace, toggled), [trace, toggled]);
  const colors = useMemo(() => {
    const found = trace.services.length === 1 ? ['var(--accent)'] : serviceColors(trace.services);
    return new Map(trace.services.map((service, index) => [service, found[index]!]));
  }, [trace]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: BEYOND,
  });
  const whole: Window = { from: 0, to: Math.max(1, trace.duration) };
  const { from, to } = view ?? whole;
  const indent = Math.min(INDENT, MAX_INDENT / Math.max(1, trace.depth));

  const go = (next: number): void => {
    const at = Math.max(0, Math.min(rows.length - 1, next));
    setActive(at);
    virtual.scrollToIndex(at, { align: 'auto' });
  };
  const toggle = (row: TraceRow): void =>
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(row.key)) after.add(row.key);
      return after;
    });
  const choose = (row: TraceRow): void => (row.kind === 'span' ? onSelect(row.node) : toggle(row));
  const hasBelow = (row: TraceRow): boolean => row.kind === 'group' || row.node.children.length > 0;
  const nextError = (by: 1 | -1): void => {
    const errors = rows.flatMap((row, index) => (row.kind === 'span' && row.node.span.error ? [index] : []));
    const next =
      by === 1
        ? (errors.find((at) => at > active) ?? errors[0])
        : (errors.findLast((at) => at < active) ?? errors.at(-1));
    if (next === undefined) return;
    go(next);
    choose(rows[next]!);
    scroll.current?.focus();
  };
  const zoom = (): void => {
    const row = rows[active];
    if (row?.kind !== 'span') return;
    const { start, duration } = row.node.span;
    const margin = Math.max(duration * 0.05, 1);
    setView({ from: Math.max(0, start - margin), to: Math.min(whole.to, start + duration + margin) });
  };
  useCommands(
    small
      ? []
      : [
          { id: 'trace.error', title: 'Next error', group: 'Trace', keys: ['e'], run: () => nextError(1) },
          { id: 'trace.error-before', title: 'Previous error', group: 'Trace', keys: ['E'], run: () => nextError(-1) },
          { id: 'trace.zoom', title: 'Zoom to the span', group: 'Trace', keys: ['z'], run: zoom },
          { id: 'trace.whole', title: 'Reset zoom', group: 'Trace', keys: ['Z'], run: () => setView(undefined) },
        ],
  );
  // Starts at the first failed span.
  useEffect(() => {
    const failed = rows.findIndex((row) => row.kind === 'span' && row.node.span.error);
    if (failed > 0) go(failed);
    // Once, when the trace is there.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [trace]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const row = rows[active];
    const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 0) / ROW) - 2);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: page,
      PageUp: -page,
      Home: -rows.length,
      End: rows.length,
    };
    const move = moves[event.key];
    if (move !== undefined) go(active + move);
    else if (row === undefined) return;
    else if (event.key === 'Enter' || event.key === ' ') choose(row);
    else if (event.key === 'ArrowRight' && hasBelow(row)) {
      if (row.open) go(active + 1);
      else toggle(row);
    } else if (event.key === 'ArrowLeft') {
      if (row.open) toggle(row);
      else go(rows.findLastIndex((each, index) => index < active && each.depth < row.depth));
    } else return;
    event.preventDefault();
  };

  return (
    <div className={styles.waterfall} style={{ '--names': `${namesWidth}px` } as CSSProperties}>
      {!small && <Minimap trace={trace} colors={colors} view={view} onView={setView} />}
      <div className={styles.axis}>
        <span className={styles.names}>{!small && <NamesEdge width={namesWidth} onWidth={setNamesWidth} />}</span>
        <span className={styles.times} aria-hidden>
          {Array.from({ length: TICKS }, (_, tick) => (
            <span key={tick}>{spanTime(from + ((to - from) * tick) / TICKS)}</span>
          ))}
        </span>
      </div>
      <div
        ref={scroll}
        className={styles.scroll}
        role="tree"
        aria-label="Spans"
        tabIndex={0}
        aria-activedescendant={rows[active] === undefined ? undefined : `${id}-${active}`}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]!;
            const isDim = row.kind === 'span' && dimmed?.(row.node) === true;
            return (
              <div
                key={row.key}
                id={`${id}-${index}`}
                role="treeitem"
                aria-level={row.depth + 1}
                aria-selected={row.kind === 'span' && row.key === selected}
                {...(hasBelow(row) && { 'aria-expanded': row.open })}
                className={cx(
                  styles.row,
                  index === active && styles.active,
                  row.kind === 'span' && row.key === selected && styles.selected,
                  row.kind === 'span' && row.node.span.error && styles.error,
                  isDim && styles.dim,
                )}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => {
                  setActive(index);
                  choose(row);
                }}
              >
                <span className={styles.names} style={{ paddingLeft: 6 + row.depth * indent }}>
                  <span
                    className={styles.toggle}
                    aria-hidden
                    onClick={(event) => {
                      if (!hasBelow(row)) return;
                      event.stopPropagation();
                      toggle(row);
                    }}
                  >
                    {hasBelow(row) ? row.open ? <ChevronDown /> : <ChevronRight /> : null}
                  </span>
                  <RowName row={row} colors={colors} />
                </span>
                <RowBar row={row} window={{ from, to }} colors={colors} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

const spanOf = (row: TraceRow) => (row.kind === 'span' ? row.node : row.nodes[0]!).span;

function RowName({ row, colors }: { readonly row: TraceRow; readonly colors: ReadonlyMap<string, string> }) {
  const span = spanOf(row);
  return (
    <>
      <span className={styles.swatch} style={{ background: colors.get(span.service) }} />
      {row.kind === 'span' && span.error && <CircleAlert className={styles.failed} aria-hidden />}
      {row.kind === 'span' && row.node.early > 0 && (
        <span title={`Starts ${spanTime(row.node.early)} before its parent (clock skew)`} className={styles.skew}>
          <Clock aria-hidden />
        </span>
      )}
      <span className={styles.name} title={visibleText(`${span.service}: ${span.name}`)}>
        {row.kind === 'group' && <strong>× {row.nodes.length.toLocaleString('en')} </strong>}
        <UntrustedText text={span.name} />{' '}
        <span className={styles.service}>
          <UntrustedText text={span.service} />
        </span>
        {row.kind === 'span' && span.error && <span className="unseen">, failed</span>}
        {row.kind === 'span' && row.node.parentMissing && <em className={styles.missing}> parent span missing</em>}
      </span>
    </>
  );
}

function RowBar({
  row,
  window: { from, to },
  colors,
}: {
  readonly row: TraceRow;
  readonly window: Window;
  readonly colors: ReadonlyMap<string, string>;
}) {
  const nodes = row.kind === 'span' ? [row.node] : row.nodes;
  const start = Math.min(...nodes.map(({ span }) => span.start));
  const end = Math.max(...nodes.map(({ span }) => span.start + span.duration));
  const at = (time: number): number => (100 * (Math.min(to, Math.max(from, time)) - from)) / (to - from);
  const [left, right] = [at(start), at(end)];
  const outside = end < from || start > to;
  const text = spanTime(
    row.kind === 'span' ? row.node.span.duration : nodes.reduce((sum, { span }) => sum + span.duration, 0),
  );
  return (
    <span className={styles.times}>
      {!outside && (
        <>
          <span
            className={cx(
              styles.bar,
              row.kind === 'group' && styles.group,
              row.kind === 'span' && row.node.onCriticalPath && styles.critical,
              row.kind === 'span' && row.node.span.error && styles.failedBar,
            )}
            style={{ left: `${left}%`, width: `${right - left}%`, backgroundColor: colors.get(spanOf(row).service) }}
          />
          <span
            className={cx(styles.length, right >= 80 && left <= 20 && styles.inside)}
            style={
              right < 80
                ? { left: `${right}%` }
                : left > 20
                  ? { right: `${100 - left}%` }
                  : { right: `${100 - right}%` }
            }
          >
            {text}
          </span>
        </>
      )}
    </span>
  );
}

/** Divider between names and times: dragged, or moved by arrow keys. */
function NamesEdge({ width, onWidth }: { readonly width: number; readonly onWidth: (width: number) => void }) {
  const { min, max, step } = NAMES_WIDTH;
  const set = (next: number): void => onWidth(Math.max(min, Math.min(max, next)));
  return (
    <span
      className={styles.edge}
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the names"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={({ key }) => {
        if (key === 'ArrowLeft') set(width - step);
        if (key === 'ArrowRight') set(width + step);
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) set(width + event.movementX);
      }}
    />
  );
}
