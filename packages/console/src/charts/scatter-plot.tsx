import { useMemo, useState } from 'react';
import { visibleText } from '../data/results/visible-text.js';
import { colorsOf } from '../theme/value-colors.js';
import styles from './shapes.module.css';

interface Point {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** Two numbers per group against each other. */
export function ScatterPlot({
  points,
  x,
  y,
  label,
  format,
}: {
  readonly points: readonly Point[];
  /** Titles of the x and y axes. */
  readonly x: string;
  readonly y: string;
  readonly label: string;
  readonly format: (value: number) => string;
}) {
  const [pointed, setPointed] = useState<number>();
  const colors = useMemo(() => colorsOf(points.map(({ name }) => name)), [points]);
  const [across, up] = [scaleOf(points.map((point) => point.x)), scaleOf(points.map((point) => point.y))];
  const shown = pointed === undefined ? undefined : points[pointed];
  return (
    <figure className={styles.heat} aria-label={`${label}: ${points.length} groups by ${x} and ${y}`}>
      <div className={styles.plot}>
        <div className={styles.scale} aria-hidden>
          <span>{format(up.high)}</span>
          <span className={styles.axisName}>{y}</span>
          <span>{format(up.low)}</span>
        </div>
        <div
          className={styles.cloud}
          role="application"
          aria-roledescription="chart"
          aria-label={`${label}: use arrow keys to move between groups`}
          tabIndex={0}
          onKeyDown={(event) => {
            const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            event.stopPropagation();
            setPointed(Math.max(0, Math.min(points.length - 1, (pointed ?? -1) + by)));
          }}
        >
          {points.map((point, index) => (
            <span
              key={point.name}
              className={styles.dot}
              data-pointed={index === pointed}
              style={{
                left: `${across.share(point.x) * 100}%`,
                bottom: `${up.share(point.y) * 100}%`,
                background: colors[index],
              }}
              onPointerEnter={() => setPointed(index)}
              onPointerLeave={() => setPointed(undefined)}
            />
          ))}
        </div>
      </div>
      <div className={styles.foot}>
        <span>{format(across.low)}</span>
        <span role="status">
          {shown === undefined ? x : `${visibleText(shown.name)}: ${x} ${format(shown.x)}, ${y} ${format(shown.y)}`}
        </span>
        <span>{format(across.high)}</span>
      </div>
    </figure>
  );
}

/** Minimum to maximum, with a margin. */
function scaleOf(values: readonly number[]) {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const room = (max - min || Math.abs(max) || 1) * 0.06;
  const [low, high] = [min - room, max + room];
  return { low: min, high: max, share: (value: number): number => (value - low) / (high - low) };
}
