import styles from './shapes.module.css';

/** A number on a scale with segments from good to bad. */
export function Gauge({
  value,
  low,
  high,
  label,
  text,
  format,
  invert,
}: {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly label: string;
  readonly text: string;
  readonly format: (value: number) => string;
  /** Whether low values are bad. */
  readonly invert: boolean;
}) {
  const share = Math.min(1, Math.max(0, (value - low) / (high - low || 1)));
  const tones = invert ? ['--red', '--amber', '--green'] : ['--green', '--amber', '--red'];
  return (
    <figure className={styles.gauge} aria-label={`${label}: ${text} on a scale from ${format(low)} to ${format(high)}`}>
      <svg viewBox="-60 -56 120 70" aria-hidden>
        {tones.map((tone, index) => (
          <path
            key={tone}
            className={styles.track}
            d={half(index / 3, (index + 1) / 3)}
            style={{ stroke: `var(${tone})` }}
          />
        ))}
        <path
          className={styles.needle}
          d="M-2.5 0L0 -40L2.5 0Z"
          transform={`rotate(${(share * 180 - 90).toFixed(2)})`}
        />
        <text className={styles.bound} x="-46" y="12" textAnchor="middle">
          {format(low)}
        </text>
        <text className={styles.bound} x="46" y="12" textAnchor="middle">
          {format(high)}
        </text>
      </svg>
      <figcaption className={styles.reading}>{text}</figcaption>
    </figure>
  );
}

/** An arc of the half circle, with a gap to the next. */
function half(from: number, to: number): string {
  const point = (share: number): string =>
    `${(-Math.cos(Math.PI * share) * 46).toFixed(2)} ${(-Math.sin(Math.PI * share) * 46).toFixed(2)}`;
  return `M${point(from + 0.006)}A46 46 0 0 1 ${point(to - 0.006)}`;
}
