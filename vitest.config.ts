import { defineConfig } from 'vitest/config';
import { packageModules } from './tests/built-modules.ts';
import { FailedFilesReporter } from './tests/failed-files-reporter.ts';
import { LongFilesFirst } from './tests/long-files-first.ts';
import { TallyReporter } from './tests/tally-reporter.ts';

/** The condition `module` is left out: it is for bundlers, and Node cannot load such exports. */
const conditions = ['node', 'development|production'];

/** `npx vitest run --sequence.shuffle.files` has an order of its own. */
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

export default defineConfig({
  plugins: [packageModules({ prefersBuild: false })],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    globalSetup: 'tests/support/current-build.ts',
    // Modules of the build are loaded by Node.
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
    setupFiles: 'tests/support/plain-bigints.ts',
    include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    // What ends a test that hangs. Four workers on two cores take twice as long as two, on a busy
    // machine several times.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What a test polls for comes late on a busy machine; with the default of a second the machine
    // would be tested.
    expect: { poll: { timeout: 20_000 } },
    // Two more than the cores of a small machine: a quarter of the time a worker waits, for a
    // server to start, a browser to draw or a time to pass. Each costs two per cent of CPU: modules,
    // a server and a browser for the console once more.
    maxWorkers: 4,
    sequence: isShuffled ? {} : { sequencer: LongFilesFirst },
    // Test files run one after the other in the same workers, which keep the modules they have
    // loaded. A process for each file cost a fifth of the CPU time of all tests, most of it for
    // loading and compiling the server again. A test file undoes what it changes in its process:
    // mocks, timers, flags.
    isolate: false,
    reporters: ['default', new TallyReporter(), new FailedFilesReporter()],
  },
});
