import type { Reporter, TestModule } from 'vitest/node';

/** Prints a final line that any CI can parse: `12 passed, 0 failed, 1 skipped`. */
export class TallyReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++;
      // A file that cannot be loaded counts as a failure: it has no tests that could fail.
      if (module.errors().length > 0) count.failed++;
    }
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`);
  }
}
