import { fieldText, stringText } from '../data/apl-text.js';
import { traceFields } from '../data/results/trace-ids.js';
import type { SearchField } from './search-terms.js';

/** Maximum conditions for an event: more would exclude it for a rounded or truncated value. */
const MAX_FIELDS = 4;
const MAX_DEPTH = 4;
const LONGEST_VALUE = 300;

type Scalar = string | number | boolean;

/** Fields that identify an event, best first. */
const IDENTIFYING = [
  ...traceFields,
  'span_id',
  'spanId',
  'request_id',
  'requestId',
  'id',
  'msg',
  'message',
  'body',
  'level',
];

/** Conditions on a few scalar fields of a JSON event; undefined for other text. */
export function conditionOfEvent(text: string, fields: readonly SearchField[] | undefined): string | undefined {
  const event = eventIn(text);
  if (event === undefined) return undefined;
  const values = [...scalarsOf(event, '', MAX_DEPTH)];
  const known = values.filter(
    ([name]) => !name.startsWith('_') && (fields === undefined || fields.some((each) => each.name === name)),
  );
  const rank = (name: string): number =>
    (IDENTIFYING.indexOf(name) + IDENTIFYING.length + 1) % (IDENTIFYING.length + 1);
  const chosen = known
    .map(([name, value], index) => ({ name, value, index }))
    .toSorted((a, b) => rank(a.name) - rank(b.name) || a.index - b.index)
    .slice(0, MAX_FIELDS);
  if (chosen.length > 0) return `where ${chosen.map(({ name, value }) => equal(name, value)).join(' and ')}`;
  const texts = values.filter(([, value]) => typeof value === 'string').slice(0, MAX_FIELDS);
  return texts.length === 0 ? undefined : `search ${texts.map(([, value]) => stringText(String(value))).join(' and ')}`;
}

const equal = (name: string, value: Scalar): string =>
  `${fieldText(name)} == ${typeof value === 'string' ? stringText(value) : String(value)}`;

function eventIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const found: unknown = JSON.parse(text.replace(/,\s*$/, ''));
    const event: unknown = Array.isArray(found) ? found[0] : found;
    return typeof event === 'object' && event !== null && !Array.isArray(event) ? event : undefined;
  } catch {
    // Not JSON.
    return undefined;
  }
}

/** Values by dotted name, without those that a comparison would miss. */
function* scalarsOf(value: object, prefix: string, depth: number): Generator<readonly [name: string, value: Scalar]> {
  for (const [key, item] of Object.entries(value)) {
    const name = prefix + key;
    if (typeof item === 'string' ? item !== '' && item.length <= LONGEST_VALUE : isExact(item))
      yield [name, item as Scalar];
    else if (typeof item === 'object' && item !== null && !Array.isArray(item) && depth > 0)
      yield* scalarsOf(item as object, `${name}.`, depth - 1);
  }
}

/** Integers that `JSON.parse` may have rounded are left out. */
const isExact = (item: unknown): boolean =>
  typeof item === 'boolean' || (typeof item === 'number' && (!Number.isInteger(item) || Number.isSafeInteger(item)));
