const second = 1_000_000_000n;

/** Nanoseconds since the epoch as RFC 3339 in UTC, with as many of nine digits of the second as are needed. */
export function timeText(nanoseconds: bigint): string {
  const fraction = ((nanoseconds % second) + second) % second;
  const seconds = Number((nanoseconds - fraction) / second);
  const digits = fraction === 0n ? '' : `.${fraction.toString().padStart(9, '0').replace(/0+$/, '')}`;
  return `${new Date(seconds * 1000).toISOString().slice(0, -5)}${digits}Z`;
}
