import { defineConfig } from 'vitest/config';
import { TallyReporter } from './tests/tally-reporter.ts';

/**
 * Tests import the packages' sources, not their build output: `millrace-source` is the export condition that says so. Not `module`: that is for bundlers, and
 * what some packages have there Node cannot load.
 */
const conditions = ['millrace-source', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    globalSetup: 'tests/support/current-encoder.ts',
    include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes late on a machine with other work; its default of a second would be a test of that.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    reporters: ['default', new TallyReporter()],
  },
});
