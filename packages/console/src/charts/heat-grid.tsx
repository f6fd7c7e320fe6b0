import { useState } from 'react';
import { zonedText } from '../data/time/zones.js';
import styles from './figures.module.css';
import type { HeatData } from './heat-data.js';

const LEVELS = 9;

/** Counts over time and a scale, as shades of one hue; nothing is drawn where there is nothing. */
export function HeatGrid({
  data,
  label,
  zone,
  format,
}: {
  readonly data: HeatData;
  readonly label: string;
  readonly zone: string;
  readonly format: (value: number) => string;
}) {
  const { times, rows, counts, most } = data;
  const [pointed, setPointed] = useState<{ readonly row: number; readonly column: number }>();
  const timeText = (at: number): string => zonedText(BigInt(Math.round(at)) * 1_000_000n, zone, 0);
  const said =
    pointed === undefined
      ? `up to ${format(most)}`
      : `${timeText(times[pointed.column]!)} · ${rows[pointed.row]} · ${format(counts[pointed.row]![pointed.column]!)}`;
  const move = (right: number, up: number): void =>
    setPointed({
      column: clamp((pointed?.column ?? -1) + right, times.length),
      row: clamp((pointed?.row ?? 0) + up, rows.length),
    });
  return (
    <figure className={styles.heat} aria-label={`${label}: ${times.length} times, ${rows.length} rows, ${said}`}>
      <div className={styles.plot}>
        <div className={styles.scale} aria-hidden>
          <span>{rows.at(-1)}</span>
          <span>{rows[0]}</span>
        </div>
        <svg
          viewBox={`0 0 ${times.length} ${rows.length}`}
          preserveAspectRatio="none"
          role="application"
          aria-roledescription="chart"
          aria-label={`${label}: arrows move from cell to cell`}
          tabIndex={0}
          onPointerMove={(event) => {
            const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
            setPointed({
              column: clamp(Math.floor(((event.clientX - left) / width) * times.length), times.length),
              row: clamp(rows.length - 1 - Math.floor(((event.clientY - top) / height) * rows.length), rows.length),
            });
          }}
          onPointerLeave={() => setPointed(undefined)}
          onKeyDown={(event) => {
            const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            event.stopPropagation();
            move(step[0]!, step[1]!);
          }}
        >
          {Array.from({ length: LEVELS }, (_, level) => (
            <path key={level} d={cellsAt(data, level)} style={{ fill: `var(--heat-${level + 1})` }} />
          ))}
          {pointed !== undefined && (
            <rect
              className={styles.pointed}
              x={pointed.column}
              y={rows.length - 1 - pointed.row}
              width="1"
              height="1"
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
      </div>
      <div className={styles.foot}>
        <span>{times.length > 0 && timeText(times[0]!).slice(5, 16)}</span>
        <span role="status">{said}</span>
        <span>{times.length > 0 && timeText(times.at(-1)!).slice(5, 16)}</span>
      </div>
    </figure>
  );
}

const clamp = (value: number, length: number): number => Math.max(0, Math.min(length - 1, value));

/** All cells of one shade, as one path: the page has nine elements whatever the answer has. */
function cellsAt({ counts, most, rows }: HeatData, level: number): string {
  const parts: string[] = [];
  for (const [row, line] of counts.entries())
    for (const [column, count] of line.entries()) {
      if (count <= 0) continue;
      // Small counts stay visible beside large ones.
      const shade = Math.min(LEVELS - 1, Math.floor(Math.sqrt(count / most) * LEVELS));
      if (shade === level) parts.push(`M${column} ${rows.length - 1 - row}h1v1h-1z`);
    }
  return parts.join('');
}
