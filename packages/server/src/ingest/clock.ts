/**
 * The time of arrival in nanoseconds since the epoch: the wall clock, advanced by the monotonic one, so that two
 * requests never share an instant and a later request never has an earlier time.
 */
export function arrivalClock(
  wallMilliseconds: () => number = Date.now,
  monotonic: () => bigint = process.hrtime.bigint,
): () => bigint {
  let last = 0n;
  let offset = BigInt(wallMilliseconds()) * 1_000_000n - monotonic();
  return () => {
    const wall = BigInt(wallMilliseconds()) * 1_000_000n;
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
