/** Units of settings: bytes and milliseconds. */

export const KiB = 1024;
export const MiB = 1024 * KiB;
export const GiB = 1024 * MiB;
export const second = 1000;
export const minute = 60 * second;

/** The shortest exact text a setting in bytes takes. */
export const sizeText = (bytes: number): string =>
  scaled(
    bytes,
    [
      ['GiB', GiB],
      ['MiB', MiB],
      ['KiB', KiB],
    ],
    '',
  );

/** The shortest exact text a setting in milliseconds takes. */
export const durationText = (milliseconds: number): string =>
  scaled(
    milliseconds,
    [
      ['h', 60 * minute],
      ['m', minute],
      ['s', second],
    ],
    'ms',
  );

function scaled(value: number, units: readonly (readonly [string, number])[], rest: string): string {
  const [unit, scale] = units.find(([, scale]) => value >= scale && value % scale === 0) ?? [rest, 1];
  return `${value / scale}${unit}`;
}
