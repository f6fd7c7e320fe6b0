import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = join(import.meta.dirname, '..');

/** Files that take a quarter of a minute or more, the longest first. */
export const longFiles: readonly string[] = [
  'packages/console/src/pages/data.test.ts',
  'packages/console/src/pages/dashboards/dashboards.test.ts',
  'tests/install.test.ts',
  'tests/bench.test.ts',
  'tests/nodes.test.ts',
  'tests/spelled-values.test.ts',
  'packages/apl/src/functions/columns.test.ts',
  'packages/console/src/pages/trace-search/traces.test.ts',
  'packages/console/src/pages/dashboards/exported-kinds.test.ts',
  'packages/apl/src/operators/operators.test.ts',
  'packages/apl/src/functions/functions.test.ts',
  'tests/clickhouse.test.ts',
  'tests/backup.test.ts',
  'tests/command-line.test.ts',
  'tests/siege/siege.test.ts',
  'packages/console/src/pages/query/query-large-results.test.ts',
  'packages/engine/src/supervision.test.ts',
  'packages/query/src/run/split-totals.test.ts',
  'tests/silent-loss.test.ts',
  'packages/query/src/export-slots.test.ts',
  'packages/apl/src/functions/extremes.test.ts',
  'packages/storage/src/term-index/term-index.test.ts',
  'tests/durability-stop.test.ts',
  'tests/serve-output.test.ts',
  'tests/crash/crash.test.ts',
  'tests/main-job.test.ts',
];

const placeOf = (path: string): number => {
  const place = longFiles.findIndex((name) => path === join(root, name));
  return place < 0 ? longFiles.length : place;
};

/**
 * Runs the slow files first. The runner's default order is by file size if it has no timings, which
 * may leave one worker with a slow file at the end.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a.moduleId) - placeOf(b.moduleId));
  }
}
