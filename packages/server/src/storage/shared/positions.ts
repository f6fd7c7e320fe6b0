/** So many batches a process may take before it needs another epoch. */
const perEpoch = 2n ** 40n;

/** Below all positions of an epoch, and above those of the epochs before. */
export const firstOf = (epoch: bigint): bigint => epoch * perEpoch;

/**
 * Numbers of batches where several processes take them: each process has an epoch that no other
 * ever had, and counts within it. Numbers are unique, and those of one process rise; between
 * processes they say nothing about what came first.
 */
export class Positions {
  readonly #first: bigint;
  #taken = 0n;

  constructor(epoch: bigint) {
    this.#first = firstOf(epoch);
  }

  next(): bigint {
    if (++this.#taken >= perEpoch)
      throw new RangeError('this process has taken as many batches as it may; start it again');
    return this.#first + this.#taken;
  }
}
