/** Bounds of the evaluation of a query on arrays. */
export interface WorkLimits {
  /** Samples touched by all steps together. */
  readonly samples: number;
  /** Memory for values that are alive at the same time. */
  readonly bytes: number;
}

/** An evaluation exceeds one of its limits. */
export class WorkExceeded extends Error {
  readonly limit: keyof WorkLimits;
  readonly most: number;

  constructor(limit: keyof WorkLimits, most: number) {
    super(`more than ${most} ${limit}`);
    this.limit = limit;
    this.most = most;
  }
}

/** Samples between two chances to let others run: some milliseconds. */
const samplesPerTurn = 50_000;

const bytesPerSample = { point: 16, value: 9, text: 2 } as const;
/** Labels and objects of a series. */
const bytesPerSeries = 500;

/** Counts what an evaluation does and holds, and says when others may run. */
export class Work {
  readonly #limits: WorkLimits;
  #samples = 0;
  #sinceTurn = 0;
  #bytes = 0;

  constructor(limits: WorkLimits) {
    this.#limits = limits;
  }

  /** Memory of the values that are alive. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws WorkExceeded */
  touch(samples: number): void {
    this.#samples += samples;
    this.#sinceTurn += samples;
    if (this.#samples > this.#limits.samples) throw new WorkExceeded('samples', this.#limits.samples);
  }

  /**
   * Counts samples and says whether it is time to yield.
   * @throws WorkExceeded
   */
  isDue(samples = 0): boolean {
    this.touch(samples);
    if (this.#sinceTurn < samplesPerTurn) return false;
    this.#sinceTurn = 0;
    return true;
  }

  /**
   * Counts a series of points, of values on a grid, or a text that was created.
   * @throws WorkExceeded
   */
  create(kind: keyof typeof bytesPerSample, samples: number): void {
    this.touch(samples / 8);
    this.setBytes(this.#bytes + bytesPerSeries + bytesPerSample[kind] * samples);
  }

  /**
   * Sets the memory after values became garbage.
   * @throws WorkExceeded
   */
  setBytes(bytes: number): void {
    this.#bytes = bytes;
    if (bytes > this.#limits.bytes) throw new WorkExceeded('bytes', this.#limits.bytes);
  }
}

/** Without limits, for tests and for values that are bounded in another way. */
export const unlimitedWork = (): Work => new Work({ samples: Infinity, bytes: Infinity });

/** Memory of series with these numbers of samples. */
export function bytesOf(kind: keyof typeof bytesPerSample, lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + bytesPerSeries + bytesPerSample[kind] * length, 0);
}
