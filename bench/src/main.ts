import { loadavg } from 'node:os';
import { join } from 'node:path';
import { type Options, readOptions, usage } from './command-line.js';
import { machine } from './machine.js';
import { publish, findMismatch } from './report/page.js';
import { summary } from './report/summary.js';
import { figureLine } from './report/figures-table.js';
import type { MeasuredFigure, Results } from './result.js';
import { bytesFor, lackOfRoom } from './room.js';
import { runSuites } from './run.js';
import { selectSizes, sizes } from './sizes.js';
import { mergeFigures, mismatch, readResults, writeResults } from './store.js';
import { suites, suitesNamed } from './suites/index.js';
import { versionsOf } from './versions.js';
import { lackOfDuck } from './baselines/duckdb.js';

/**
 * `npm run bench`: measures, prints each metric when it is available and all of them as tables at
 * the end, and stores them as JSON.
 */

const root = join(import.meta.dirname, '..');
const lab = join(root, '..', 'lab');
const resultsDirectory = join(root, 'results');
const dataDirectory = join(root, '.data');

// Ends through `exit`, so that started processes are stopped and files removed.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.once(signal, () => process.exit(code));

/** Returns the measurements of this run, which are on disk by then. */
async function measure({ size, only, replace, ...selection }: Options, path: string): Promise<Results> {
  const base = { machine: machine(), size };
  // With little data, times are mostly startup; goals apply to the other sizes.
  const judged = size !== 'tiny';
  const earlier = replace ? undefined : readResults(path);
  const problem = earlier && mismatch(earlier, base);
  if (problem !== undefined) refuse(`${path}: ${problem}; --replace begins anew`);
  const chosen = selectSizes(sizes[size], selection);
  const noRoom = lackOfRoom(dataDirectory, bytesFor(chosen, only));
  if (noRoom !== undefined) refuse(noRoom);
  const names = suitesNamed(only).map(([name]) => name);
  console.error(
    `Measuring ${names.join(', ')}; size ${size}. Figures are kept in ${path}; Ctrl-C stops and cleans up.`,
  );
  for (const hint of await hints()) console.error(hint);
  const head = { ...base, versions: await versionsOf(dataDirectory) };
  const figures: MeasuredFigure[] = [];
  const whole = await runSuites({
    sizes: chosen,
    only,
    dataDirectory,
    resultsDirectory,
    say: (what) => process.stderr.isTTY && process.stderr.write(`\r\u001B[K${what}`),
    brokeOff: ({ suite, error }) => console.error(`${suite} broke off:`, error),
    report: (figure) => {
      figures.push({ ...figure, date: new Date().toISOString() });
      process.stderr.write(process.stderr.isTTY ? '\r\u001B[K' : '');
      console.log(figureLine(figure, judged));
      // Written after each metric, so that an interrupted run keeps its results.
      writeResults(path, { ...head, figures: mergeFigures(earlier?.figures ?? [], figures) });
    },
  });
  console.log(summary(figures, Object.keys(suites), judged));
  if (!whole) process.exitCode = 1;
  return { ...head, figures };
}

/** Hints about this machine that affect the results. */
async function hints(): Promise<readonly string[]> {
  const noDuck = await lackOfDuck();
  const load = loadavg()[0]!;
  return [
    ...(noDuck === undefined ? [] : [noDuck]),
    ...(load > machine().cores ? [`The machine has other work (load ${load.toFixed(1)}): figures will vary.`] : []),
  ];
}

async function main(options: Options): Promise<void> {
  const path = join(resultsDirectory, `${options.size}.json`);
  if (options.publish && !options.replace) {
    // Checked before hours of work, not after.
    const problem = findMismatch(lab, { machine: machine(), size: options.size });
    if (problem !== undefined) refuse(`lab/performance: ${problem}; --replace starts a new page`);
  }
  const results = options.measure ? await measure(options, path) : readResults(path);
  if (results === undefined) refuse(`${path} is not there: nothing of this size was measured`);
  if (options.publish && process.exitCode === 1)
    refuse('Nothing is published, because a suite broke off; --publish-only publishes what was measured.');
  if (options.publish) publish(results, lab, { sections: Object.keys(suites), replace: options.replace });
}

/** Prints an error message and exits. */
function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}

function optionsOf(args: readonly string[]): Options | 'help' {
  try {
    return readOptions(args);
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}

const options = optionsOf(process.argv.slice(2));
if (options === 'help') console.log(usage);
else await main(options);
