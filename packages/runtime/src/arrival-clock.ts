/**
 * Nanoseconds since the epoch. The clock of the metadata (`metadata/clock.ts`) has milliseconds.
 */
export type ArrivalClock = () => bigint;

/**
 * The ingest time in nanoseconds since the epoch: the wall clock, advanced by the monotonic one, so
 * that two requests never share an instant and a later request never has an earlier time. Only a
 * wall clock that is set far back is followed: it had been wrong, and events with its time, and
 * queries up to it, would be wrong until it reached that time again.
 * @param wallMilliseconds the wall clock
 * @param monotonic the monotonic clock, nanoseconds
 */
export function newArrivalClock(
  wallMilliseconds: () => number = Date.now,
  monotonic: () => bigint = process.hrtime.bigint,
): ArrivalClock {
  const wallClock = (): bigint => BigInt(wallMilliseconds()) * 1_000_000n;
  let last = 0n;
  let offset = wallClock() - monotonic();
  return () => {
    const wall = wallClock();
    let now = monotonic() + offset;
    // The wall clock was set.
    if (now - wall > toleratedDrift || wall - now > toleratedDrift) {
      offset += wall - now;
      now = wall;
    }
    last = now > last || last - now > toleratedReturn ? now : last + 1n;
    return last;
  };
}

const toleratedDrift = 50_000_000n;
/** The most by which the times of requests stay ahead of a wall clock that was set back. */
const toleratedReturn = 60_000_000_000n;
