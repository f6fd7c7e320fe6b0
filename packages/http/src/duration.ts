const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
  w: 604_800_000_000_000n,
};

/**
 * Nanoseconds of a duration in Go's syntax, `1h30m` or `1.5s`, also with days and weeks;
 * `undefined` if the text is invalid.
 */
export function parseDuration(text: string): bigint | undefined {
  if (!/^(\d+(\.\d{1,9})?(ns|us|µs|ms|s|m|h|d|w))+$/.test(text)) return undefined;
  let total = 0n;
  for (const [, whole, fraction, unit] of text.matchAll(/(\d+)(?:\.(\d{1,9}))?(ns|us|µs|ms|s|m|h|d|w)/g)) {
    const scale = units[unit!]!;
    total += BigInt(whole!) * scale;
    if (fraction !== undefined) total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
  }
  return total;
}

/**
 * Whether a duration is above 0 and below a nanosecond, which {@link parseDuration} rounds to 0.
 */
export const isBelowNanosecond = (text: string): boolean => /[1-9]/.test(text) && parseDuration(text) === 0n;
