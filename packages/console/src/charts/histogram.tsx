import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { coloursOf } from '../look/value-colours.js';
import type { Bounds } from '../data/time/ranges.js';
import { wallTime, zoneLabel, zonedText } from '../data/time/zones.js';
import { DAY, MINUTE } from '../data/time/instants.js';
import type { Histogram as Data } from './histogram-data.js';
import styles from './histogram.module.css';

interface HistogramProps {
  readonly data: Data;
  readonly zone: string;
  readonly label: string;
  /** A range that somebody dragged over, or marked by key. */
  readonly onSelect: (bounds: Bounds) => void;
  readonly onZoomOut: () => void;
  readonly onValue: (value: string, how: 'include' | 'exclude') => void;
  readonly height?: number;
}

/**
 * Events over time: bars to see, drag over and step through. Of our own, because it is in the first view of the page, where the library of
 * charts would be five times as much to load as the rest, and because a selection has to be exact to the nanosecond.
 */
export function Histogram({ data, zone, label, onSelect, onZoomOut, onValue, height = 80 }: HistogramProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  const [cursor, setCursor] = useState<number>();
  const slots = useMemo(() => slotsOf(data), [data]);
  const colours = useMemo(() => coloursOf(data.values), [data]);
  const most = useMemo(() => Math.max(1, ...slots.map(({ total }) => total)), [slots]);

  const shareAt = (event: PointerEvent): number => {
    const { left, width } = frame.current!.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width));
  };
  const finish = (): void => {
    if (drag === undefined) return;
    setDrag(undefined);
    const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    if (to - from > 0.004) onSelect(boundsBetween(data, from, to));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by !== undefined)
      setCursor(Math.max(0, Math.min(slots.length - 1, (cursor ?? (by > 0 ? -1 : slots.length)) + by)));
    else if (event.key === 'Enter' && cursor !== undefined) {
      const { at } = slots[cursor]!;
      onSelect({ start: at < data.start ? data.start : at, end: at + data.step - 1n });
    } else if (event.key === 'Escape') setCursor(undefined);
    else return;
    event.preventDefault();
  };
  useEffect(() => setCursor(undefined), [data]);

  const pointed = cursor === undefined ? undefined : slots[cursor];
  return (
    <figure className={styles.figure} aria-label={`${label}. ${sentenceOf(data, slots, zone)}`}>
      <div
        ref={frame}
        className={styles.frame}
        style={{ height }}
        tabIndex={0}
        role="application"
        aria-roledescription="chart"
        aria-label="Events over time: arrows step through bars, Enter zooms in"
        onKeyDown={onKeyDown}
        onDoubleClick={onZoomOut}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const at = shareAt(event);
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
            <path key={value} d={pathOf(slots, value, most, height)} style={{ fill: colours[value]! }} />
          ))}
        </svg>
        {cursor !== undefined && (
          <span
            className={styles.cursor}
            style={{ left: `${(100 * cursor) / slots.length}%`, width: `${100 / slots.length}%` }}
          />
        )}
        {drag !== undefined && (
          <span
            className={styles.drag}
            style={{ left: `${100 * Math.min(drag.from, drag.to)}%`, width: `${100 * Math.abs(drag.to - drag.from)}%` }}
          />
        )}
        <span className={styles.most} aria-hidden>
          {most.toLocaleString('en')}
        </span>
      </div>
      <Axis data={data} zone={zone} />
      <div className={styles.legend}>
        <span className={styles.told} role="status">
          {pointed === undefined
            ? `${data.total.toLocaleString('en')} events`
            : `${zonedText(pointed.at, zone, data.step < MINUTE ? 3 : 0)} · ${pointed.total.toLocaleString('en')}`}
        </span>
        {data.values.length > 1 &&
          data.values.map((value, index) => (
            <button
              key={value}
              type="button"
              className={styles.value}
              title={`${value}: click to include, Shift-click to exclude`}
              onClick={(event) => onValue(value, event.shiftKey ? 'exclude' : 'include')}
            >
              <span className={styles.swatch} style={{ background: colours[index] }} aria-hidden />
              {value === '' ? '""' : value}
            </button>
          ))}
      </div>
    </figure>
  );
}

interface Slot {
  readonly at: bigint;
  readonly counts: readonly number[];
  readonly total: number;
}

/** A slot for each step of the range, also where there are no events. */
function slotsOf({ start, end, step, bars, values }: Data): readonly Slot[] {
  const first = start - (((start % step) + step) % step);
  const byTime = new Map(bars.map(({ at, counts }) => [at, counts]));
  const count = Math.min(2000, Math.max(1, Number((end - first + step - 1n) / step)));
  return Array.from({ length: count }, (_, index) => {
    const at = first + BigInt(index) * step;
    const counts = byTime.get(at) ?? values.map(() => 0);
    return { at, counts, total: counts.reduce((sum, each) => sum + each, 0) };
  });
}

/** All bars of one value, standing on those before it, as one path. */
function pathOf(slots: readonly Slot[], value: number, most: number, height: number): string {
  const parts: string[] = [];
  for (const [index, { counts }] of slots.entries()) {
    const count = counts[value] ?? 0;
    if (count === 0) continue;
    const below = counts.slice(0, value).reduce((sum, each) => sum + each, 0);
    // A bar that is there can be seen.
    const tall = Math.max(1, (count / most) * (height - 4));
    const bottom = height - (below / most) * (height - 4);
    parts.push(`M${index + 0.08} ${bottom.toFixed(2)}h0.84v${(-tall).toFixed(2)}h-0.84z`);
  }
  return parts.join('');
}

function boundsBetween({ start, end }: Data, from: number, to: number): Bounds {
  const length = end - start;
  const at = (share: number): bigint => start + (length * BigInt(Math.round(share * 1e6))) / 1_000_000n;
  return { start: at(from), end: at(to) };
}

/** What the picture says, in words. */
function sentenceOf(data: Data, slots: readonly Slot[], zone: string): string {
  const peak = slots.reduce((most, each) => (each.total > most.total ? each : most), slots[0]!);
  return `${data.total} events from ${zonedText(data.start, zone, 0)} to ${zonedText(data.end, zone, 0)}, most at ${zonedText(peak.at, zone, 0)}: ${peak.total}`;
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
