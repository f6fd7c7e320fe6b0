import type { ReactNode } from 'react';
import styles from './gallery.module.css';

/** Pictures of element kinds, 64 × 36, in the colors of the theme. */

const bars = (heights: readonly number[], className: string | undefined): ReactNode =>
  heights.map((height, at) => (
    <rect key={at} x={6 + at * 7} y={32 - height} width={5} height={height} className={className} />
  ));

const lines = (lengths: readonly number[], gap: number): ReactNode =>
  lengths.map((length, at) => (
    <rect key={at} x={6} y={5 + at * gap} width={length} height={3} className={styles.soft} />
  ));

const pictures: Readonly<Record<string, ReactNode>> = {
  TimeSeries: (
    <>
      <path d="M4 32H60" className={styles.axis} />
      <path d="M4 26 16 18 26 22 38 8 48 14 60 6" className={styles.stroke} />
      <path d="M4 30 16 27 26 28 38 22 48 25 60 20" className={styles.second} />
    </>
  ),
  Statistic: (
    <>
      <text x={6} y={18} className={styles.number}>
        128
      </text>
      <path d="M6 31 16 28 26 30 38 24 48 27 58 22" className={styles.stroke} />
    </>
  ),
  TopK: [44, 33, 20, 11].map((width, at) => (
    <g key={at}>
      <rect x={6} y={4 + at * 8} width={52} height={6} className={styles.soft} />
      <rect x={6} y={4 + at * 8} width={width} height={6} className={styles.fill} />
    </g>
  )),
  Table: (
    <>
      <rect x={6} y={4} width={52} height={6} className={styles.fill} />
      <path d="M6 17H58M6 24H58M6 31H58M24 4V32M42 4V32" className={styles.axis} />
    </>
  ),
  Pie: (
    <>
      <circle cx={32} cy={18} r={11} className={styles.ring} />
      <path d="M32 7A11 11 0 0 1 41 24" className={styles.slice} />
    </>
  ),
  Heatmap: [0, 1, 2, 3, 4, 5, 6].flatMap((x) =>
    [0, 1, 2, 3].map((y) => (
      <rect
        key={`${x} ${y}`}
        x={6 + x * 7.5}
        y={3 + y * 7.5}
        width={6.5}
        height={6.5}
        className={styles.fill}
        opacity={0.15 + 0.85 * Math.max(0, 1 - Math.abs(y - 3 + ((x * 5) % 7) / 3) / 2)}
      />
    )),
  ),
  Scatter: (
    <>
      <path d="M6 4V32H60" className={styles.axis} />
      {[
        [14, 26],
        [22, 20],
        [28, 24],
        [34, 15],
        [42, 18],
        [48, 9],
        [54, 12],
      ].map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r={2.5} className={styles.fill} />
      ))}
    </>
  ),
  Gauge: (
    <>
      <path d="M14 30A18 18 0 0 1 50 30" className={styles.ring} />
      <path d="M14 30A18 18 0 0 1 38 13" className={styles.slice} />
    </>
  ),
  LogStream: [40, 46, 30, 42].map((width, at) => (
    <g key={at}>
      <rect x={6} y={4 + at * 8} width={3} height={5} className={at === 1 ? styles.bad : styles.fill} />
      <rect x={12} y={5 + at * 8} width={width} height={3} className={styles.soft} />
    </g>
  )),
  Note: (
    <>
      <rect x={6} y={4} width={24} height={5} className={styles.fill} />
      <g transform="translate(0 9)">{lines([50, 44, 34], 7)}</g>
    </>
  ),
  MonitorList: [0, 1, 2].map((row) => (
    <g key={row}>
      <circle cx={10} cy={8 + row * 10} r={3} className={row === 1 ? styles.bad : styles.fill} />
      <rect x={17} y={6 + row * 10} width={18} height={4} className={styles.soft} />
      <g transform={`translate(36 ${row * 10 - 20})`}>{bars([4, 4, 4], row === 1 ? styles.bad : styles.fill)}</g>
    </g>
  )),
  SLO: (
    <>
      <rect x={6} y={6} width={22} height={6} className={styles.fill} />
      <path d="M6 18 22 19 30 24 44 25 58 31" className={styles.stroke} />
    </>
  ),
  SmartFilter: (
    <>
      <rect x={4} y={12} width={26} height={12} rx={2} className={styles.box} />
      <path d="M20 16.5 23 19.5 26 16.5" className={styles.stroke} />
      <rect x={34} y={12} width={26} height={12} rx={2} className={styles.box} />
      <rect x={38} y={16.5} width={14} height={3} className={styles.soft} />
    </>
  ),
  SectionHeader: (
    <>
      <path d="M6 7 9 10 12 7" className={styles.stroke} />
      <rect x={17} y={6} width={28} height={5} className={styles.fill} />
      <rect x={6} y={17} width={24} height={14} className={styles.box} />
      <rect x={34} y={17} width={24} height={14} className={styles.box} />
    </>
  ),
  Spacer: <path d="M6 10H58M6 26H58M32 13V23M29 16 32 13 35 16M29 20 32 23 35 20" className={styles.axis} />,
  Placeholder: <rect x={6} y={6} width={52} height={24} rx={2} className={styles.dashed} />,
};

/** Undefined for a kind without a picture. */
export const pictureOf = (type: string): ReactNode => (Object.hasOwn(pictures, type) ? pictures[type] : undefined);

export const KindPicture = ({ type }: { readonly type: string }) => (
  <svg viewBox="0 0 64 36" className={styles.picture} aria-hidden>
    {pictureOf(type)}
  </svg>
);
