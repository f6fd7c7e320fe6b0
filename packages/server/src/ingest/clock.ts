/**
 * The time of arrival in nanoseconds since the epoch: the wall clock, advanced by the monotonic one, so that two
 * requests never share an instant and a later request never has an earlier time.
 */
export function arrivalClock(): () => bigint {
  const monotonic = process.hrtime.bigint;
  const wallClock = (): bigint => BigInt(Date.now()) * 1_000_000n;
  let last = 0n;
  let offset = wallClock() - monotonic();
  return () => {
    const wall = wallClock();
    let now = monotonic() + offset;
    // The wall clock was set. Follow it, but never return an earlier time than before.
    if (now - wall > toleratedDrift || wall - now > toleratedDrift) {
      offset += wall - now;
      now = wall;
    }
    last = now > last ? now : last + 1n;
    return last;
  };
}

const toleratedDrift = 50_000_000n;
