import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { countOf } from '../data/format-units.js';
import { MILLISECOND } from '../data/time/instants.js';
import { zoneLabel, zonedText } from '../data/time/zones.js';
import { type ChartRun, type RunState, stateWords, stretchesOf } from './run-states.js';
import { StateLegend, StateStrip } from './state-strip.js';
import styles from './run-chart.module.css';
import { numberText, scaleFor, valuePath } from './run-scale.js';
import { type Threshold, ThresholdLine } from './threshold-line.js';

interface RunChartProps {
  /** Oldest first. */
  readonly runs: readonly ChartRun[];
  readonly threshold?: Threshold | undefined;
  /** Milliseconds between runs. */
  readonly interval: number;
  readonly end?: number;
  readonly zone: string;
  readonly label: string;
  readonly height?: number;
  /** Word for the state `open`, if not `firing`. */
  readonly openWord?: string | undefined;
}

/**
 * Results of a monitor's runs, the threshold, and the monitor's state below. Not ECharts: the
 * threshold can be dragged or moved by keyboard and previews its effect.
 */
export function RunChart({ runs, threshold, interval, end, zone, label, height = 180, openWord }: RunChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<number>();
  const [keptScale, setHeld] = useState<ReturnType<typeof scaleFor>>();
  const times = useMemo(() => {
    const start = runs[0]?.time ?? 0;
    return { start, end: Math.max(end ?? 0, (runs.at(-1)?.time ?? 0) + interval), interval };
  }, [runs, end, interval]);
  const values = useMemo(() => runs.flatMap(({ value }) => (value === undefined ? [] : [value])), [runs]);
  // The scale is fixed during a drag, so that the line stays under the pointer.
  const scale = keptScale ?? scaleFor(values, threshold?.value);
  const stretches = useMemo(() => stretchesOf(runs, times), [runs, times]);
  const present = useMemo(() => [...new Set<RunState>(stretches.map(({ state }) => state))], [stretches]);
  const shareOf = (time: number): number => (time - times.start) / Math.max(1, times.end - times.start);

  const nearest = (event: PointerEvent): void => {
    const { left, width } = frame.current!.getBoundingClientRect();
    const at = times.start + ((event.clientX - left) / width) * (times.end - times.start);
    const next = runs.findIndex(({ time }) => time > at);
    setCursor(Math.max(0, (next < 0 ? runs.length : next) - 1));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by !== undefined && event.target === event.currentTarget)
      setCursor(Math.max(0, Math.min(runs.length - 1, (cursor ?? (by > 0 ? -1 : runs.length)) + by)));
    else if (event.key === 'Escape' && cursor !== undefined) setCursor(undefined);
    else return;
    event.preventDefault();
  };
  const pointed = cursor === undefined ? undefined : runs[cursor];
  return (
    <figure className={styles.figure} aria-label={`${label}: ${sentenceOf(runs, zone)}`}>
      <div
        ref={frame}
        className={styles.frame}
        style={{ height }}
        tabIndex={0}
        role="application"
        aria-roledescription="chart"
        aria-label={`${label}: use arrow keys to move between runs`}
        onKeyDown={onKeyDown}
        onPointerMove={nearest}
        onPointerLeave={() => setCursor(undefined)}
      >
        <svg className={styles.canvas} viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden>
          <path
            className={styles.value}
            d={valuePath(runs, { scale, shareOf, interval })}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {runs.length <= MAX_DOTS &&
          runs.map(({ time, value, state }) =>
            value === undefined ? undefined : (
              <span
                key={time}
                className={state === 'open' ? `${styles.dot} ${styles.violates}` : styles.dot}
                style={{ left: `${100 * shareOf(time)}%`, bottom: `${100 * scale.shareOf(value)}%` }}
              />
            ),
          )}
        {pointed !== undefined && (
          <span className={styles.cursor} style={{ left: `${100 * shareOf(pointed.time)}%` }} />
        )}
        {threshold !== undefined && (
          <ThresholdLine threshold={threshold} scale={scale} frame={frame} onHold={setHeld} />
        )}
        <span className={styles.max} aria-hidden>
          {numberText(scale.valueAt(1))}
        </span>
        <span className={styles.min} aria-hidden>
          {numberText(scale.valueAt(0))}
        </span>
      </div>
      <StateStrip stretches={stretches} label={`States: ${stateSentence(stretches)}`} tall />
      <div className={styles.axis} aria-hidden>
        <span>{timeText(times.start, zone)}</span>
        <span>{timeText((times.start + times.end) / 2, zone)}</span>
        <span>
          {timeText(times.end, zone)} {zoneLabel(zone)}
        </span>
      </div>
      <div className={styles.readout}>
        <span role="status">
          {pointed === undefined
            ? countOf(runs.length, 'run')
            : `${timeText(pointed.time, zone)} · ${pointed.value === undefined ? stateWords[pointed.state] : `${numberText(pointed.value)}, ${stateWords[pointed.state]}`}${pointed.problem === undefined ? '' : `: ${pointed.problem}`}`}
        </span>
        <StateLegend states={present} openWord={openWord} />
      </div>
    </figure>
  );
}

/** More labels would overlap. */
const MAX_DOTS = 150;

const timeText = (time: number, zone: string): string =>
  zonedText(BigInt(Math.round(time)) * MILLISECOND, zone, 0).slice(5, 16);

function sentenceOf(runs: readonly ChartRun[], zone: string): string {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return 'no runs';
  const values = runs.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const span =
    values.length === 0 ? 'no values' : `from ${numberText(Math.min(...values))} to ${numberText(Math.max(...values))}`;
  return `${countOf(runs.length, 'run')}, ${timeText(first.time, zone)} to ${timeText(last.time, zone)}, ${span}`;
}

const stateSentence = (stretches: ReturnType<typeof stretchesOf>): string =>
  stretches.length === 0
    ? 'none'
    : Object.entries(stateWords)
        .map(([state, words]) => {
          const share = stretches.reduce((sum, each) => sum + (each.state === state ? each.to - each.from : 0), 0);
          return share === 0 ? '' : `${words} ${Math.max(1, Math.round(100 * share))}% of the time`;
        })
        .filter((each) => each !== '')
        .join(', ');
