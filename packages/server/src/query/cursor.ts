/**
 * Row ids: the place of an event in the order of its dataset, as opaque text. 13 base-36 digits of the time (nanoseconds,
 * shifted to be positive), 16 hex digits of the log position, 8 of the row. Equal lengths throughout, so that ids sort as
 * the events do.
 */
export interface RowPlace {
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
  readonly seq: bigint;
  readonly row: number;
}

const shift = 1n << 63n;
const form = /^([0-9a-z]{13})-([0-9a-f]{16})-([0-9a-f]{8})$/;

export function formatCursor({ time, seq, row }: RowPlace): string {
  const parts = [(time + shift).toString(36).padStart(13, '0'), seq.toString(16).padStart(16, '0')];
  return [...parts, row.toString(16).padStart(8, '0')].join('-');
}

/** Undefined for anything this server cannot have given out. */
export function parseCursor(text: string): RowPlace | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, time = '', seq = '', row = ''] = match;
  const shifted = [...time].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
  if (shifted >= 1n << 64n) return undefined;
  return { time: shifted - shift, seq: BigInt(`0x${seq}`), row: Number.parseInt(row, 16) };
}
