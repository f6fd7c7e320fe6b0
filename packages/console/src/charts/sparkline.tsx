import styles from './shapes.module.css';

/** Trend of a number: a line without axes. */
export function Sparkline({ values }: { readonly values: readonly (number | null)[] }) {
  const present = values.filter((value) => value !== null);
  if (present.length < 2) return null;
  const low = Math.min(0, ...present);
  const high = Math.max(...present, low + 1e-9);
  const points = values
    .map((value, index) => ({ x: (index / (values.length - 1)) * 100, value }))
    .filter((point): point is { x: number; value: number } => point.value !== null)
    .map(({ x, value }) => `${x.toFixed(2)} ${(30 - ((value - low) / (high - low)) * 28).toFixed(2)}`);
  return (
    <svg className={styles.spark} viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden>
      <path className={styles.under} d={`M${points.join('L')}L100 30L0 30Z`} />
      <path className={styles.stroke} d={`M${points.join('L')}`} />
    </svg>
  );
}
