import { civilFromDays, toNanoseconds } from '@millrace/timestamps';
import type { JsonBytes } from '../bytes/json-bytes.js';

/**
 * An OTLP time: 64 bits of nanoseconds since the epoch, as two numbers, because a bigint would be
 * the most expensive part of a record.
 */
export interface Instant {
  readonly seconds: number;
  /** Within the second. */
  readonly nanoseconds: number;
}

/** The value of a time that was not sent. */
export const noInstant: Instant = { seconds: 0, nanoseconds: 0 };

const second = 1_000_000_000;

export const instantOf = (time: bigint): Instant => ({
  seconds: Number(time / 1_000_000_000n),
  nanoseconds: Number(time % 1_000_000_000n),
});

/** The instant for the two halves of a 64-bit integer. */
export function instantOfHalves(high: number, low: number): Instant {
  // Divided 16 bits at a time, so that every step is exact in a double.
  const top = Math.floor(high / second);
  const upper = (high - top * second) * 65_536 + (low >>> 16);
  const middle = Math.floor(upper / second);
  const lower = (upper - middle * second) * 65_536 + (low & 0xffff);
  const bottom = Math.floor(lower / second);
  return { seconds: (top * 65_536 + middle) * 65_536 + bottom, nanoseconds: lower - bottom * second };
}

export const isSent = ({ seconds, nanoseconds }: Instant): boolean => seconds !== 0 || nanoseconds !== 0;

/** Negative if the left instant is earlier. */
export const compareInstants = (left: Instant, right: Instant): number =>
  left.seconds - right.seconds || left.nanoseconds - right.nanoseconds;

export const nanosecondsOf = ({ seconds, nanoseconds }: Instant): bigint => toNanoseconds(seconds, nanoseconds);

/** All nanoseconds since the epoch, as digits. */
export function writeNanoseconds(out: JsonBytes, { seconds, nanoseconds }: Instant): void {
  if (seconds === 0) return out.digits(nanoseconds);
  out.digits(seconds);
  out.padNumber(nanoseconds, 9);
}

/** The nanoseconds from `start` to `end`, negative if `end` is earlier. */
export function writeDuration(out: JsonBytes, start: Instant, end: Instant): void {
  if (compareInstants(end, start) < 0) {
    out.ascii('-');
    return writeDuration(out, end, start);
  }
  const borrowed = end.nanoseconds < start.nanoseconds ? 1 : 0;
  writeNanoseconds(out, {
    seconds: end.seconds - start.seconds - borrowed,
    nanoseconds: end.nanoseconds - start.nanoseconds + borrowed * second,
  });
}

/** The time as `formatRfc3339` writes it, in quotes. */
export function writeRfc3339(out: JsonBytes, { seconds, nanoseconds }: Instant): void {
  const days = Math.floor(seconds / 86_400);
  const inDay = seconds - days * 86_400;
  const { year, month, day } = civilFromDays(days);
  out.ascii('"');
  out.padNumber(year, 4);
  out.ascii('-');
  out.padNumber(month, 2);
  out.ascii('-');
  out.padNumber(day, 2);
  out.ascii('T');
  out.padNumber((inDay / 3600) | 0, 2);
  out.ascii(':');
  out.padNumber(((inDay / 60) | 0) % 60, 2);
  out.ascii(':');
  out.padNumber(inDay % 60, 2);
  if (nanoseconds !== 0) {
    out.ascii('.');
    let width = 9;
    let fraction = nanoseconds;
    for (; fraction % 10 === 0; fraction /= 10) width--;
    out.padNumber(fraction, width);
  }
  out.ascii('Z"');
}
