import { randomNumbers } from './random.js';
import { fault, type SampleEvent, sampleTraffic } from './sample-traffic.js';

interface Second {
  /** End in seconds since the epoch. */
  readonly end: number;
  /** Start of the hour with the fault, in seconds since the epoch. */
  readonly storyBegan: number;
  /** Average requests per second. */
  readonly rate: number;
}

const storySeconds = 3600;

/**
 * The requests to a shop in one second, the same for the same second: an hour of it has a fault,
 * and what comes after the hour is healthy again. There are waves of minutes in it, and no second
 * is like the next.
 */
export function shopTraffic({ end, storyBegan, rate }: Second): readonly SampleEvent[] {
  const random = randomNumbers(end);
  const wave = 1 + 0.35 * Math.sin(end / 140) + 0.2 * Math.sin(end / 37);
  const count = Math.round(rate * wave * (0.5 + random()));
  const share = (second: number): number => Math.min(1, Math.max(0, (second - storyBegan) / storySeconds));
  return sampleTraffic({
    count,
    end: end * 1000,
    milliseconds: 1000,
    seed: end,
    part: { from: share(end - 1), to: share(end) },
  });
}

/** Release of the faulty version, in seconds since the epoch. */
export const releaseOf = (storyBegan: number): number => storyBegan + fault.from * storySeconds;
