import styles from './sparkline.module.css';

const WIDTH = 120;
const HEIGHT = 24;

/**
 * Trend of a number without axes; gaps where it is missing. The number is shown next to it, so it
 * is hidden from screen readers.
 */
export function Sparkline({
  values,
  min = 0,
}: {
  readonly values: readonly (number | undefined)[];
  /** Minimum number of slots, so that the first values do not fill the whole width. */
  readonly min?: number;
}) {
  const known = values.filter((each) => each !== undefined && Number.isFinite(each)) as number[];
  const top = Math.max(...known, Number.MIN_VALUE);
  const low = Math.min(...known, 0);
  const places = Math.max(values.length, min, 2);
  const first = places - values.length;
  let path = '';
  let drawn = false;
  let single = '';
  for (const [index, value] of values.entries()) {
    if (value === undefined || !Number.isFinite(value)) {
      drawn = false;
      continue;
    }
    const x = ((first + index) / (places - 1)) * WIDTH;
    const y = HEIGHT - 1 - ((value - low) / (top - low || 1)) * (HEIGHT - 2);
    path += `${drawn ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    if (known.length === 1) single = `${path}h0`;
    drawn = true;
  }
  return (
    <svg className={styles.sparkline} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      <path d={path} vectorEffect="non-scaling-stroke" />
      <path className={styles.point} d={single} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
