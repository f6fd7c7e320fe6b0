import { type KeyboardEvent, type PointerEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { countOf } from '../data/format-units.js';
import type { Cell } from '../data/results/cells.js';
import { visibleText } from '../data/results/visible-text.js';
import { UntrustedText } from '../widgets/untrusted-text.js';
import { colorsOf } from '../theme/value-colors.js';
import type { Bounds } from '../data/time/ranges.js';
import { wallTime, zoneLabel, zonedText } from '../data/time/zones.js';
import { DAY, MINUTE } from '../data/time/instants.js';
import { type Histogram as Data, type HistogramMark, type Slot, slotsOf } from './histogram-data.js';
import { type RangeAction, SelectionBar } from './histogram-selection.js';
import styles from './histogram.module.css';

interface HistogramProps {
  readonly data: Data;
  readonly zone: string;
  readonly label: string;
  readonly marks: readonly HistogramMark[];
  /** Actions for a range selected by mouse or keyboard; Enter runs the first. */
  readonly actions: readonly RangeAction[];
  readonly onZoomOut: () => void;
  readonly onValue: (value: Cell, how: 'include' | 'exclude') => void;
  readonly height?: number;
}

/** Part of the range, as fractions. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Maximum share of late events that are marked. A larger share is an import. */
const MAX_LATE = 0.05;

/**
 * Events over time: bars to read, select and step through. Not ECharts: it is on the first page,
 * where the library would be five times the download of the rest, and selections must be exact to
 * the nanosecond.
 */
export function Histogram(props: HistogramProps) {
  const { data, zone, label, marks, actions, onZoomOut, onValue, height = 80 } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Span>();
  const [selected, setSelected] = useState<Span>();
  const [cursor, setCursor] = useState<number>();
  const slots = useMemo(() => slotsOf(data), [data]);
  const colors = useMemo(
    () =>
      colorsOf(
        data.values.map(({ name }) => name),
        data.values.find(({ cell }) => cell === null)?.name,
      ),
    [data],
  );
  const max = useMemo(() => Math.max(1, ...slots.map(({ total }) => total)), [slots]);
  const stripes = useId();
  const someLate = data.late > 0 && data.late <= data.total * MAX_LATE;

  const shareAt = (event: PointerEvent): number => {
    const { left, width } = frame.current!.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width));
  };
  const finish = (): void => {
    if (drag === undefined) return;
    setDrag(undefined);
    const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    setSelected(to - from > 0.004 ? { from, to } : undefined);
  };
  /** Selection, or the bar at the cursor. */
  const selectedBounds = (): Bounds | undefined => {
    if (selected !== undefined) return boundsBetween(data, selected);
    const slot = cursor === undefined ? undefined : slots[cursor];
    return slot && { start: slot.at < data.start ? data.start : slot.at, end: slot.at + data.step - 1n };
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const action = actions.find(({ key }) => key === event.key);
    const bounds = selectedBounds();
    if (by !== undefined) {
      const next = Math.max(0, Math.min(slots.length - 1, (cursor ?? (by > 0 ? -1 : slots.length)) + by));
      setCursor(next);
      setSelected(event.shiftKey ? stretchBounds(selected, cursor ?? next, next, slots, data) : undefined);
    } else if (action !== undefined && bounds !== undefined) {
      setSelected(undefined);
      action.run(bounds);
    } else if (event.key === 'Escape' && (cursor !== undefined || selected !== undefined)) {
      setCursor(undefined);
      setSelected(undefined);
    } else return;
    event.preventDefault();
  };
  useEffect(() => {
    setCursor(undefined);
    setSelected(undefined);
  }, [data]);

  const pointed = cursor === undefined ? undefined : slots[cursor];
  const shown = drag ?? selected;
  return (
    <figure className={styles.figure} aria-label={`${label}. ${sentenceOf(data, slots, zone)}`}>
      <div
        ref={frame}
        className={styles.frame}
        style={{ height }}
        tabIndex={0}
        role="application"
        aria-roledescription="chart"
        aria-label="Events over time: arrow keys move between bars, Shift selects, Enter zooms"
        onKeyDown={onKeyDown}
        onDoubleClick={onZoomOut}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const at = shareAt(event);
          setSelected(undefined);
          setDrag({ from: at, to: at });
        }}
        onPointerMove={(event) => {
          const at = shareAt(event);
          setCursor(Math.min(slots.length - 1, Math.floor(at * slots.length)));
          if (drag !== undefined) setDrag({ ...drag, to: at });
        }}
        onPointerUp={finish}
        onPointerCancel={() => setDrag(undefined)}
        onPointerLeave={() => drag === undefined && setCursor(undefined)}
      >
        <svg className={styles.bars} viewBox={`0 0 ${slots.length} ${height}`} preserveAspectRatio="none" aria-hidden>
          {data.values.map((_, value) => (
            <g key={value} style={{ fill: colors[value]! }}>
              <path d={pathOf(slots, value, max, height, false)} />
              <path d={pathOf(slots, value, max, height, true)} className={styles.cut} />
            </g>
          ))}
          {someLate && (
            <>
              <pattern id={stripes} width="1" height="4" patternUnits="userSpaceOnUse">
                <rect width="1" height="2" className={styles.stripe} />
              </pattern>
              <path d={latePath(slots, max, height)} fill={`url(#${stripes})`} />
            </>
          )}
        </svg>
        {marks.map((mark) => (
          <Mark key={mark.id} mark={mark} data={data} />
        ))}
        {cursor !== undefined && (
          <span
            className={styles.cursor}
            style={{ left: `${(100 * cursor) / slots.length}%`, width: `${100 / slots.length}%` }}
          />
        )}
        {shown !== undefined && (
          <span
            className={styles.drag}
            style={{
              left: `${100 * Math.min(shown.from, shown.to)}%`,
              width: `${100 * Math.abs(shown.to - shown.from)}%`,
            }}
          />
        )}
        <span className={styles.max} aria-hidden>
          {max.toLocaleString('en')}
        </span>
      </div>
      {selected !== undefined && (
        <SelectionBar
          bounds={boundsBetween(data, selected)}
          top={height}
          middle={(selected.from + selected.to) / 2}
          actions={actions}
          onDone={() => setSelected(undefined)}
        />
      )}
      <Axis data={data} zone={zone} />
      <div className={styles.legend}>
        <span className={styles.readout} role="status">
          {pointed === undefined
            ? countOf(data.total, 'event')
            : `${zonedText(pointed.at, zone, data.step < MINUTE ? 3 : 0)} · ${pointed.total.toLocaleString('en')}${
                someLate && pointed.late > 0 ? ` · ${pointed.late.toLocaleString('en')} late` : ''
              }${pointed.cut ? ' · incomplete' : ''}`}
        </span>
        {data.values.length > 1 &&
          data.values.map(({ name, cell }, index) => {
            const entry = (
              <>
                <span className={styles.swatch} style={{ background: colors[index] }} aria-hidden />
                <UntrustedText text={name} />
              </>
            );
            if (cell === undefined)
              return (
                <span key={index} className={styles.value}>
                  {entry}
                </span>
              );
            return (
              <button
                key={index}
                type="button"
                className={styles.value}
                title={`${visibleText(name)}: click to include, Shift-click to exclude`}
                onClick={(event) => onValue(cell, event.shiftKey ? 'exclude' : 'include')}
              >
                {entry}
              </button>
            );
          })}
        {someLate && (
          <span className={styles.readout}>
            <span className={styles.lateSwatch} aria-hidden />
            {data.late.toLocaleString('en')} arrived more than 1 minute late
          </span>
        )}
      </div>
    </figure>
  );
}

/** Keyboard selection: from its start to the bar at the cursor. */
function stretchBounds(
  before: Span | undefined,
  was: number,
  next: number,
  slots: readonly Slot[],
  { start, end, step }: Data,
): Span {
  const share = (instant: bigint): number => Math.min(1, Math.max(0, Number(instant - start) / Number(end - start)));
  const edges = (slot: number): Span => ({ from: share(slots[slot]!.at), to: share(slots[slot]!.at + step) });
  const [old, now] = [edges(was), edges(next)];
  const kept = before ?? old;
  if (next > was) return Math.abs(kept.to - old.to) < 1e-9 ? { ...kept, to: now.to } : { ...kept, from: now.from };
  if (next < was) return Math.abs(kept.from - old.from) < 1e-9 ? { ...kept, from: now.from } : { ...kept, to: now.to };
  return kept;
}

/** An annotation: a line at a point in time, or a band. */
function Mark({ mark: { start, end, title }, data }: { readonly mark: HistogramMark; readonly data: Data }) {
  const length = Number(data.end - data.start);
  const share = (instant: bigint): number => Math.min(1, Math.max(0, Number(instant - data.start) / length));
  const from = share(start);
  return (
    <span
      className={styles.mark}
      title={title}
      role="img"
      aria-label={title}
      style={{ left: `${100 * from}%`, width: end === undefined ? undefined : `${100 * (share(end) - from)}%` }}
    />
  );
}

/** One path with all bars of one value, full or partial, stacked on the previous values. */
function pathOf(slots: readonly Slot[], value: number, max: number, height: number, cut: boolean): string {
  const parts: string[] = [];
  for (const [index, { counts, cut: isCut }] of slots.entries()) {
    const count = counts[value] ?? 0;
    if (count === 0 || isCut !== cut) continue;
    const below = counts.slice(0, value).reduce((sum, each) => sum + each, 0);
    // Bars have a visible minimum height.
    const tall = Math.max(1, (count / max) * (height - 4));
    const bottom = height - (below / max) * (height - 4);
    parts.push(`M${index + 0.08} ${bottom.toFixed(2)}h0.84v${(-tall).toFixed(2)}h-0.84z`);
  }
  return parts.join('');
}

/** Late part of each bar, at its top: growth since the fact. */
const latePath = (slots: readonly Slot[], max: number, height: number): string =>
  slots
    .flatMap(({ late, total }, index) => {
      if (late === 0) return [];
      const top = height - (total / max) * (height - 4);
      return [`M${index + 0.08} ${top.toFixed(2)}h0.84v${Math.max(2, (late / max) * (height - 4)).toFixed(2)}h-0.84z`];
    })
    .join('');

function boundsBetween({ start, end }: Data, { from, to }: Span): Bounds {
  const length = end - start;
  const at = (share: number): bigint => start + (length * BigInt(Math.round(share * 1e6))) / 1_000_000n;
  return { start: at(from), end: at(to) };
}

/** Text alternative. */
function sentenceOf(data: Data, slots: readonly Slot[], zone: string): string {
  const peak = slots.reduce((max, each) => (each.total > max.total ? each : max), slots[0]!);
  return `${data.total} events from ${zonedText(data.start, zone, 0)} to ${zonedText(data.end, zone, 0)}; peak at ${zonedText(peak.at, zone, 0)}: ${peak.total}`;
}

const TICKS = 6;

function Axis({ data: { start, end }, zone }: { readonly data: Data; readonly zone: string }) {
  const length = end - start;
  const text = (instant: bigint): string => {
    const { day, time } = wallTime(instant, zone);
    if (length >= 2n * DAY) return `${day.slice(5)} ${time.slice(0, 5)}`;
    return length > 10n * MINUTE ? time.slice(0, 5) : time;
  };
  return (
    <div className={styles.axis} aria-hidden>
      {Array.from({ length: TICKS }, (_, index) => (
        <span key={index}>{text(start + (length * BigInt(index)) / BigInt(TICKS))}</span>
      ))}
      <span className={styles.zone}>{zoneLabel(zone)}</span>
    </div>
  );
}
