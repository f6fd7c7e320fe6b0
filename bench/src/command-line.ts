import { parseArgs } from 'node:util';
import { shapes } from './data/shapes.js';
import { type Selection, type SizeName, sizes } from './sizes.js';
import { type Choice, suites, suitesNamed } from './suites/index.js';

/** The options of a run. */

export interface Options extends Selection {
  readonly size: SizeName;
  /** Names of suites; empty means all. */
  readonly only: readonly string[];
  readonly measure: boolean;
  readonly publish: boolean;
  readonly replace: boolean;
}

const largestFull = Math.max(...sizes.full.queryEvents);

export const usage = `npm run bench -- [--medium | --full | --tiny] [--only SUITE]… [--peers] [--shape SHAPE]… [--events N] [--publish | --publish-only] [--replace]

  --medium         the sizes of lab/performance/results.md: half an hour
  --full           hours, 70 GB of disk; best run in parts
  --tiny           a minute: shows that everything runs and that answers are right; its times mean nothing
  --only SUITE     one suite: ${Object.keys(suites).join(', ')}
  --peers          also the suite that compares with VictoriaLogs, which it builds: that needs Go and its modules
  --shape SHAPE    one kind of events: ${shapes.map(({ name }) => name).join(', ')}
  --events N       asks questions over N events, as in --only query --events ${largestFull}; growth is watched up to N
  --publish        also adds what was measured to the page and the charts in lab/performance
  --publish-only   measures nothing, adds all of bench/results for this size
  --replace        forgets earlier results, instead of adding to them: those of bench/results, and those of the page with --publish

Each figure is kept in bench/results, a file a size, until it is measured again: parts can be run one by one, and again.`;

/** @throws Error that explains which argument is invalid */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      medium: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      peers: { type: 'boolean', default: false },
      shape: { type: 'string', multiple: true, default: [] },
      events: { type: 'string' },
      publish: { type: 'boolean', default: false },
      'publish-only': { type: 'boolean', default: false },
      replace: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const named = (['medium', 'full', 'tiny'] as const).filter((size) => values[size]);
  if (named.length > 1) throw new Error(`one size a run, not --${named.join(' and --')}`);
  assertKnown('suite', values.only, Object.keys(suites));
  assertKnown(
    'shape',
    values.shape,
    shapes.map(({ name }) => name),
  );
  const events = values.events === undefined ? undefined : Number(values.events);
  if (events !== undefined && !(Number.isSafeInteger(events) && events > 0))
    throw new Error(`--events takes a number of events, not ${values.events}`);
  if (values.shape.length > 0) assertApplicable('shape', values.only);
  if (events !== undefined) assertApplicable('events', values.only);
  return {
    size: named[0] ?? 'quick',
    only: values.peers ? [...suitesNamed(values.only).map(([name]) => name), 'peers'] : values.only,
    shapes: values.shape,
    events,
    measure: !values['publish-only'],
    publish: values.publish || values['publish-only'],
    replace: values.replace,
  };
}

function assertKnown(what: string, given: readonly string[], names: readonly string[]): void {
  const unknown = given.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`no ${what} ${unknown.join(', ')}; there are ${names.join(', ')}`);
}

/**
 * Rejects a choice that a chosen suite would ignore, instead of measuring the wrong thing for
 * hours.
 */
function assertApplicable(choice: Choice, only: readonly string[]): void {
  const names = Object.keys(suites).filter((name) => suites[name]!.choices.includes(choice));
  const without = only.filter((name) => !names.includes(name));
  if (without.length > 0) throw new Error(`--${choice} is for ${names.join(', ')}, not for ${without.join(', ')}`);
}
