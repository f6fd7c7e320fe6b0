import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mebibytes, type Outcome, siege } from './siege.js';

/**
 * `npm run siege`: attacks a server in every known way, and measures how that affects another
 * client.
 */

const usage = `npm run siege -- [--seconds N] [--relatives N] [--seed S] [--only TEXT] [--short]

  --seconds N    how long an attack may go on; default 10
  --relatives N  made-up attacks of each kind; default 3
  --seed S       another number makes up others; default 1
  --only TEXT    only attacks whose kind or name has this in it
  --short        only the first attack of each kind

Ends with 1 if the server ended, something acknowledged is missing, the victim was refused or memory went beyond what is promised.`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    relatives: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [seconds, relatives, seed] = [values.seconds, values.relatives, values.seed].map(Number) as [
  number,
  number,
  number,
];
if (values.help || ![seconds, relatives, seed].every((number) => Number.isSafeInteger(number))) {
  console.log(usage);
  process.exit(values.help ? 0 : 1);
}

/** A line of the table in lab/abuse-tests.md. */
function line({ kind, attack, statuses, percentile, longest, serverPeak, enginePeak, ...rest }: Outcome): string {
  const answers = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
  const cells = [
    kind,
    attack,
    answers,
    Math.round(percentile),
    Math.round(rest.eventsPercentile),
    Math.round(rest.questionsPercentile),
    Math.round(longest),
    mebibytes(serverPeak),
    mebibytes(enginePeak),
    Math.round(rest.stalled),
    [...rest.violations, ...rest.stalledIn].join('; '),
  ];
  return `| ${cells.map((cell) => `${cell}`.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

const directory = mkdtempSync(join(tmpdir(), 'millrace-siege-'));
const remove = (): void => rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
// Removes the directory on interruption; the server ends with this process. Not `once`: npm
// forwards the signal that the terminal sends too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    process.once('exit', remove);
    process.exit(1);
  });
}
const command = join(import.meta.dirname, '..', '..', '..', 'packages', 'cli', 'bin', 'millrace.js');
console.log(
  '| kind | attack | answers | p99 ms | events | questions | longest ms | server MiB | engine MiB | in one go ms | violations |',
);
console.log('|---|---|---|--:|--:|--:|--:|--:|--:|--:|---|');
const result = await siege({
  command,
  directory: join(directory, 'data'),
  seconds,
  relatives,
  seed,
  short: values.short,
  ...(values.only !== undefined && { only: values.only }),
  progress: (outcome) => console.log(line(outcome)),
});
console.log(
  `\n${result.acknowledged} events acknowledged; afterwards the server has ${mebibytes(result.serverAfter)} MiB, ` +
    `the engine ${mebibytes(result.engineAfter)} MiB; a restart took ${Math.round(result.restartMilliseconds)} ms`,
);
for (const violation of result.violations) console.log(`violation: ${violation}`);
if (result.violations.length === 0) remove();
else {
  console.log(`seed ${seed}; the data is kept in ${directory}\nthe server printed:\n${result.printed}`);
  process.exitCode = 1;
}
