/** Units of settings, options and responses: bytes and milliseconds. */

export const KiB = 1024;
export const MiB = 1024 * KiB;
export const GiB = 1024 * MiB;
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

const byteUnits = { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: KiB, mib: MiB, gib: GiB } as const;
const durationUnits = { '': 1, ms: 1, s: second, m: minute, h: 60 * minute, d: 24 * 60 * minute } as const;

/** Parses a size such as `512KiB` to bytes; undefined if it is invalid. */
export const bytesIn = (text: string): number | undefined => quantity(text, byteUnits);

/** Parses a duration such as `1.5h` to milliseconds; undefined if it is invalid. */
export const millisecondsIn = (text: string): number | undefined => quantity(text, durationUnits);

/** Formats a number of bytes as the shortest exact text. */
export const sizeText = (bytes: number): string =>
  scaleValue(
    bytes,
    [
      ['GiB', GiB],
      ['MiB', MiB],
      ['KiB', KiB],
    ],
    '',
  );

/** Formats a number of milliseconds as the shortest exact text. */
export const durationText = (milliseconds: number): string =>
  scaleValue(
    milliseconds,
    [
      ['h', 60 * minute],
      ['m', minute],
      ['s', second],
    ],
    'ms',
  );

const decimalUnits = ['kB', 'MB', 'GB', 'TB', 'PB'];

/** Formats bytes for display: `1536` → `1.5 kB`. */
export function humanBytes(bytes: number): string {
  let value = bytes;
  let unit = 'B';
  for (const next of decimalUnits) {
    // Compares the rounded value: 999.96 kB would print as 1000.0 kB.
    if ((unit === 'B' ? value : Number(value.toFixed(1))) < 1000) break;
    value /= 1000;
    unit = next;
  }
  return `${unit === 'B' ? value : value.toFixed(1)} ${unit}`;
}

function scaleValue(value: number, units: readonly (readonly [string, number])[], rest: string): string {
  const [unit, scale] = units.find(([, scale]) => value >= scale && value % scale === 0) ?? [rest, 1];
  return `${value / scale}${unit}`;
}

function quantity(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text);
  const unit = match === null ? undefined : units[match[2]!.toLowerCase()];
  return match === null || unit === undefined ? undefined : Math.floor(Number(match[1]) * unit);
}
