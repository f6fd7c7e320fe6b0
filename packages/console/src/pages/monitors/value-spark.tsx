import { numberText, scaleFor, valuePath } from '../../charts/run-scale.js';
import type { ChartRun } from '../../charts/run-states.js';
import styles from './monitors.module.css';

/** With four digits, for a glance. */
const shortNumber = (value: number): string =>
  Number.isInteger(value) ? numberText(value) : numberText(Number(value.toPrecision(4)));

/** The last value with its trend and the threshold. */
export function ValueSpark({
  runs,
  threshold,
  interval,
}: {
  readonly runs: readonly ChartRun[];
  readonly threshold: number | undefined;
  readonly interval: number;
}) {
  const last = runs.at(-1);
  if (last === undefined) return <span className={styles.none}>no run yet</span>;
  const scale = scaleFor(
    runs.flatMap(({ value }) => (value === undefined ? [] : [value])),
    threshold,
  );
  const start = runs[0]!.time;
  const length = Math.max(interval, last.time - start);
  const line = threshold === undefined ? undefined : 1000 * (1 - scale.shareOf(threshold));
  const path = valuePath(runs, { scale, shareOf: (time) => (time - start) / length, interval });
  // A dot at the end makes a single value visible.
  const end =
    last.value === undefined
      ? ''
      : `M${(1000 * (last.time - start)) / length} ${1000 * (1 - scale.shareOf(last.value))}h0`;
  return (
    <span className={styles.spark}>
      <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden>
        {line !== undefined && (
          <path className={styles.sparkLine} d={`M0 ${line}H1000`} vectorEffect="non-scaling-stroke" />
        )}
        <path className={styles.sparkValue} d={path} vectorEffect="non-scaling-stroke" />
        <path className={styles.sparkEnd} d={end} vectorEffect="non-scaling-stroke" />
      </svg>
      <span className={styles.last} title={last.value === undefined ? undefined : numberText(last.value)}>
        {last.value === undefined ? '–' : shortNumber(last.value)}
      </span>
    </span>
  );
}
