import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Writes the files with a failed test to the file that `FAILED_FILES` names, one per line, so that
 * `.ci/run` can run them again alone. An error outside of any test belongs to no file, so the list
 * stays empty then.
 */
export class FailedFilesReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandledErrors: readonly unknown[]): void {
    const list = process.env['FAILED_FILES'];
    if (list === undefined || unhandledErrors.length > 0) return;
    const failed = modules.filter((module) => !module.ok()).map(({ moduleId }) => `${moduleId}\n`);
    writeFileSync(list, failed.join(''));
  }
}
