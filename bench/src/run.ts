import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './result.js';
import type { Sizes } from './sizes.js';
import { suites } from './suites/index.js';

export interface RunOptions {
  readonly sizes: Sizes;
  readonly only?: readonly string[];
  readonly dataDirectory: string;
  readonly resultsDirectory: string;
  readonly report: (figure: Figure) => void;
  readonly say: (what: string) => void;
}

/** Runs the suites with these names, all if none is named; answers what was measured. */
export async function runSuites({ only = [], report, ...options }: RunOptions): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const directory = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  try {
    for (const [name, suite] of Object.entries(suites)) {
      if (only.length > 0 && !only.includes(name)) continue;
      await suite({
        ...options,
        directory,
        report: (figure) => {
          figures.push(figure);
          report(figure);
        },
      });
    }
    return figures;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
