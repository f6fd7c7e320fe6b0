import type { Event, ReceivedEvent } from './event.js';
import type { Check } from './options.js';
import { similarName } from './find-nearest.js';
import { show } from './pattern.js';
import { poll } from './poll.js';
import { pluralize, describeNothing, describeRejected, indent, newestOf, seconds } from './report.js';
import type { Source } from './source.js';
import type { Store } from './store.js';

/** Maximum distinct values of a field that a failure shows. */
const maxValues = 5;

interface Wait extends Omit<Check, 'settle'> {
  readonly dataset: string;
  readonly operators: string;
}

/**
 * Runs a query until it has enough events.
 * @throws Error that says what the dataset has instead; ApiError for an invalid query
 */
export async function waitForEvents(
  store: Store,
  source: Source,
  { dataset, operators, timeout, count }: Wait,
): Promise<readonly Event[]> {
  const read = (): Promise<readonly Event[]> => store.query(dataset, operators);
  const { last, isDone } = await poll(read, (events) => events.length >= count, timeout);
  if (isDone) return last;
  const all = await source.read();
  const head =
    last.length === 0
      ? `no event of dataset ${dataset} after ${seconds(timeout)} (option timeout) matches`
      : `only ${last.length} of ${pluralize(count, 'event')} of dataset ${dataset} after ${seconds(timeout)} (options timeout, count) match`;
  const parts = [`${head}\n\n${indent(operators.trim())}`, describeReceived(source, operators, all)];
  const elsewhere = await datasetsThatMatch(store, source, operators);
  if (elsewhere.length > 0) parts.push(`The query has results in another dataset: ${elsewhere.join(', ')}.`);
  const rejected = describeRejected(source.rejected());
  throw new Error([...parts, ...(rejected === '' ? [] : [rejected])].join('\n\n'));
}

function describeReceived(source: Source, operators: string, all: readonly ReceivedEvent[]): string {
  if (all.length === 0)
    return describeNothing({ label: source.label, noun: 'match', received: all, rejected: source.rejected() });
  const names = [...new Set(all.flatMap(({ event }) => Object.keys(event)))];
  const [values, misspelled] = [valuesOf(operators, names, all), misspelledFields(operators, names)];
  const there = `${pluralize(all.length, 'event')} ${all.length === 1 ? 'is' : 'are'} there.`;
  return [
    values === '' ? there : `${there} Fields of the query:\n${indent(values)}`,
    ...misspelled.map(([name, meant]) => `No event has the field ${name}; did you mean ${meant}?`),
    newestOf(all),
  ].join('\n\n');
}

/** Words of a query that are no fields, but nearly. Text in quotes is left out. */
function misspelledFields(operators: string, names: readonly string[]): readonly (readonly [string, string])[] {
  const words = new Set(operators.replaceAll(/(['"]).*?\1/g, ' ').match(/[A-Za-z_][\w.]*/g));
  return [...words].flatMap((word) => {
    const meant = names.includes(word) ? undefined : similarName(word, names);
    return meant === undefined ? [] : [[word, meant]];
  });
}

/** The values that the fields named in a query have. */
function valuesOf(operators: string, all: readonly string[], received: readonly ReceivedEvent[]): string {
  const names = all.filter((name) =>
    new RegExp(`(?<![\\w.])${name.replaceAll(/[^\w]/g, String.raw`\$&`)}(?![\\w.])`).test(operators),
  );
  const width = Math.max(0, ...names.map((name) => name.length));
  return names.map((name) => `${name.padEnd(width)}  ${distinctValues(name, received)}`).join('\n');
}

function distinctValues(name: string, all: readonly ReceivedEvent[]): string {
  const counts = new Map<string, number>();
  for (const { event } of all) {
    const value = event[name] === undefined ? 'absent' : show(event[name]);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const shown = [...counts].sort((a, b) => b[1] - a[1]).slice(0, maxValues);
  const text = shown.map(([value, count]) => (count === 1 ? value : `${value} (${count} times)`)).join(', ');
  return counts.size > maxValues ? `${text} and ${counts.size - maxValues} more` : text;
}

/** A query may be invalid for other datasets. */
async function datasetsThatMatch(store: Store, source: Source, operators: string): Promise<readonly string[]> {
  const others = new Set((await source.readOthers()).map(({ dataset }) => dataset));
  const found = await Promise.all(
    [...others].map(async (name) => ({ name, events: await store.query(name, operators).catch(() => []) })),
  );
  return found.filter(({ events }) => events.length > 0).map(({ name }) => name);
}
