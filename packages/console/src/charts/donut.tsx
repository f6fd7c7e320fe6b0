import { type ReactNode, useMemo } from 'react';
import { visibleText } from '../data/results/visible-text.js';
import { UntrustedText } from '../widgets/untrusted-text.js';
import { colorsOf } from '../theme/value-colors.js';
import styles from './shapes.module.css';

export interface Slice {
  readonly name: string;
  readonly value: number;
  /** The group without a value. */
  readonly isMissing?: boolean;
}

/** More slices are indistinguishable. */
const MAX_SLICES = 12;

/** The largest slices; the rest combined into one slice. */
export function slicesOf(all: readonly Slice[]): readonly Slice[] {
  const ranked = all.filter(({ value }) => value > 0).toSorted((a, b) => b.value - a.value);
  if (ranked.length <= MAX_SLICES) return ranked;
  const rest = ranked.slice(MAX_SLICES - 1);
  return [
    ...ranked.slice(0, MAX_SLICES - 1),
    { name: 'other', value: rest.reduce((sum, { value }) => sum + value, 0) },
  ];
}

/** Shares of a total, as a ring with a legend. */
export function Donut({
  slices,
  label,
  format,
  renderName = (name) => <UntrustedText text={name === '' ? '""' : name} />,
}: {
  readonly slices: readonly Slice[];
  readonly label: string;
  readonly format: (value: number) => string;
  /** Formats a legend entry; plain text by default. */
  readonly renderName?: (name: string) => ReactNode;
}) {
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const colors = useMemo(
    () =>
      colorsOf(
        slices.map(({ name }) => name),
        slices.find(({ isMissing }) => isMissing)?.name,
      ),
    [slices],
  );
  const starts = slices.map((_, index) => slices.slice(0, index).reduce((sum, { value }) => sum + value, 0));
  return (
    <figure className={styles.donut} aria-label={`${label}: ${slices.length} slices, total ${format(total)}`}>
      <svg viewBox="-50 -50 100 100" className={styles.ring} aria-hidden>
        {slices.map(({ name, value }, index) => (
          <path
            key={name}
            d={arc(starts[index]! / total, (starts[index]! + value) / total)}
            style={{ fill: colors[index]! }}
          >
            <title>{`${visibleText(name)}: ${format(value)}, ${percent(value / total)}`}</title>
          </path>
        ))}
        <text className={styles.total} textAnchor="middle" dominantBaseline="central">
          {format(total)}
        </text>
      </svg>
      <ul className={styles.legend} tabIndex={0} aria-label={`${label}: shares`}>
        {slices.map(({ name, value }, index) => (
          <li key={name} title={`${visibleText(name)}: ${format(value)}`}>
            <span className={styles.swatch} style={{ background: colors[index] }} aria-hidden />
            <span className={styles.name}>{renderName(name)}</span>
            <span className={styles.number}>{format(value)}</span>
            <span className={styles.share}>{percent(value / total)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;

const OUTER = 48;
const INNER = 30;

/** A slice between two fractions of the circle. */
function arc(from: number, to: number): string {
  // A full circle starts where it ends: drawn as two halves.
  if (to - from > 0.9999) return `${arc(0, 0.5)}${arc(0.5, 0.9998)}`;
  const point = (share: number, radius: number): string =>
    `${(Math.sin(2 * Math.PI * share) * radius).toFixed(3)} ${(-Math.cos(2 * Math.PI * share) * radius).toFixed(3)}`;
  const large = to - from > 0.5 ? 1 : 0;
  return `M${point(from, OUTER)}A${OUTER} ${OUTER} 0 ${large} 1 ${point(to, OUTER)}L${point(to, INNER)}A${INNER} ${INNER} 0 ${large} 0 ${point(from, INNER)}Z`;
}
