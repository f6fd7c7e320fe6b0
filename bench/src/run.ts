import type { Figure } from './result.js';
import { makeScratch } from './scratch.js';
import type { Sizes } from './sizes.js';
import { suitesNamed } from './suites/index.js';

export interface RunOptions {
  readonly sizes: Sizes;
  readonly only?: readonly string[];
  /**
   * Holds generated files, and everything that is measured; both are on the disk that this is on.
   */
  readonly dataDirectory: string;
  readonly resultsDirectory: string;
  readonly report: (figure: Figure) => void;
  readonly say: (what: string) => void;
  /** Called immediately, because the other suites may take half an hour. */
  readonly brokeOff: (broken: SuiteFailure) => void;
}

/** A suite that failed; its metrics so far are kept. */
export interface SuiteFailure {
  readonly suite: string;
  readonly error: unknown;
}

/**
 * Runs the suites with these names, or all without names. If one fails, the others still run;
 * returns whether all succeeded.
 */
export async function runSuites({ only = [], brokeOff, ...options }: RunOptions): Promise<boolean> {
  let whole = true;
  const { directory, remove } = makeScratch(options.dataDirectory);
  try {
    for (const [name, { run }] of suitesNamed(only)) {
      await run({ ...options, directory }).catch((error: unknown) => {
        whole = false;
        brokeOff({ suite: name, error });
      });
    }
    return whole;
  } finally {
    remove();
  }
}
