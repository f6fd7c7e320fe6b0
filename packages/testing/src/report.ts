import { inspect } from 'node:util';
import { entriesOf, type Event, type ReceivedEvent } from './event.js';
import { type Candidate, similarName } from './find-nearest.js';
import { type Comparison, show } from './pattern.js';

/** Texts of failed checks. */

/** Fields that no program sets, which would hide the others. */
const automaticFields =
  /^(?:_sysTime|_rowId|trace_id|span_id|parent_span_id|trace_state|flags|observed_time|severity_number|(?:scope|telemetry)\..*)$/;
const longestLine = 400;

export const seconds = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${Math.round(milliseconds / 100) / 10} s`;

export const pluralize = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

export const indent = (text: string, by = '  '): string => text.replaceAll(/^(?=.)/gm, by);

/**
 * An event, the fields of a pattern first, each with what it should be.
 * @param label of the source, which need not be repeated
 */
export function describeCandidate({ received: { dataset, event }, comparisons }: Candidate, label: string): string {
  const matching = comparisons.filter(({ matches }) => matches).length;
  const width = Math.max(...comparisons.map(({ path }) => path.length));
  const head = [
    timeOf(event),
    ...(label === `dataset ${dataset}` ? [] : [`in ${dataset}`]),
    ...(matching === comparisons.length
      ? []
      : [`${matching} of ${pluralize(comparisons.length, 'field')} as expected`]),
  ].join('  ');
  const lines = comparisons.flatMap((comparison) => linesOf(comparison, width, event));
  const compared = new Set(comparisons.flatMap(({ name, path }) => [name ?? path, path]));
  const others = describeEvent(event, (name) => compared.has(name) || name === '_time');
  return [head, ...lines, ...(others === '{}' ? [] : [`    ${others}`])].join('\n');
}

function linesOf(
  { path, name, expected, actual, matches, note }: Comparison,
  width: number,
  event: Event,
): readonly string[] {
  const where = name === undefined || name === path || path.endsWith('parent') ? '' : `  (field ${name})`;
  const label = path.padEnd(width);
  if (matches) return [`  ✓ ${label}  ${actual === undefined ? 'absent' : show(actual)}${where}`];
  const said = note === undefined ? '' : `  (${note})`;
  const got = actual === undefined ? absent(path, event, note) : `${show(actual)}${where}${said}`;
  return [
    `  ✗ ${label}  ${got}`,
    `    ${' '.repeat(width)}  expected ${expected === null || expected === undefined ? 'none' : show(expected)}`,
  ];
}

function absent(path: string, event: Event, note: string | undefined): string {
  if (note !== undefined) return note;
  const values = new Map(entriesOf(event));
  const meant = similarName(path, [...values.keys()]);
  return meant === undefined ? 'absent' : `absent; the event has ${meant}: ${show(values.get(meant))}`;
}

const timeOf = (event: Event): string => new Date(String(event['_time'])).toISOString().slice(11, 23);

/** An event on one line, without those fields. */
function describeEvent(event: Event, isLeftOut: (name: string) => boolean = () => false): string {
  const shown = Object.entries(event).filter(([name]) => !automaticFields.test(name) && !isLeftOut(name));
  const text = inspect(Object.fromEntries(shown), {
    breakLength: Infinity,
    compact: true,
    depth: 6,
    maxStringLength: 200,
  });
  return text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
}

interface Nothing {
  readonly label: string;
  readonly noun: string;
  /** All events of the source. */
  readonly received: readonly ReceivedEvent[];
  readonly rejected: readonly string[];
}

/** Why there may be nothing to compare. */
export function describeNothing({ label, noun, received, rejected }: Nothing): string {
  if (received.length > 0)
    return `${label} has ${pluralize(received.length, 'event')}, but no ${noun}. ${newestOf(received)}`;
  if (rejected.length > 0) return `Nothing arrived in ${label}.`;
  return [
    `Nothing arrived in ${label}, and the server rejected no request.`,
    'Does the program send to the address in env, and has it flushed its logger or exporter?',
  ].join('\n');
}

export const newestOf = (received: readonly ReceivedEvent[], max = 3): string =>
  `Newest:\n${indent(
    received
      .slice(-max)
      .map(({ event }) => `${timeOf(event)}  ${describeEvent(event, (name) => name === '_time')}`)
      .join('\n'),
  )}`;

export const describeRejected = (rejected: readonly string[]): string =>
  rejected.length === 0 ? '' : `The server rejected:\n${indent(rejected.join('\n'))}`;
