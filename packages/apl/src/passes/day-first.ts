import { call, literal } from '@millrace/sql';
import { defineOverload, param } from '../functions/define.js';
import type { Plan } from '../plan/nodes.js';
import { inputsOf, innerPlansOf, scalarsOf } from '../plan/rewrite.js';
import { callOf, partsOf, readsRow } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';

/**
 * Strings that are read as times with the month first, such as 1/2/2024, may put the day first. If
 * the first number of one is greater than twelve, it is not a time, and the others were misread.
 * Only the data can tell, so this builds pipelines that find such a string.
 */

/** Names of the one column. */
const column = 'text';

/** Numbers that can only be a day and a month, at the beginning of a text or of JSON. */
const DAY_FIRST = '^"?\\s*(?:1[3-9]|2[0-9]|3[01])/(?:0?[1-9]|1[0-2])/[0-9]{2}(?:[0-9]{2})?\\b';

/** Maximum number of strings checked per query. */
const max = 4;

const isDayFirst = defineOverload({
  params: [param('text', 'any')],
  returns: 'bool',
  lower: ([text]) => call('match', text.sql, literal(DAY_FIRST)),
});

/** Pipelines that give one such text each, if there is one. */
export function dayFirstTexts(plan: Plan, fresh: (name: string) => string): readonly Plan[] {
  const found: { readonly input: Plan; readonly text: Scalar }[] = [];
  const look = (node: Plan): void => {
    if (found.length >= max) return;
    const [input, ...others] = inputsOf(node);
    if (input !== undefined && others.length === 0)
      for (const text of scalarsOf(node).flatMap(readAsTimes)) found.push({ input, text });
    [...inputsOf(node), ...innerPlansOf(node)].forEach(look);
  };
  look(plan);
  return found.slice(0, max).map(({ input, text }): Plan => {
    const id = fresh(column);
    const predicate = callOf('match', isDayFirst, [text]);
    const schema = { fields: [{ name: column, readings: [{ type: text.type, id }] as const }] };
    const rows: Plan = { kind: 'filter', schema: input.schema, input, predicate };
    const texts: Plan = { kind: 'project', schema, input: rows, computed: [{ id, expr: text }] };
    return { kind: 'limit', schema, input: texts, count: 1 };
  });
}

const holdsTexts: ReadonlySet<string> = new Set(['string', 'dynamic']);

function readAsTimes(scalar: Scalar): readonly Scalar[] {
  const inside = partsOf(scalar).flatMap(readAsTimes);
  if (scalar.kind !== 'call' || scalar.overload.readsTimes !== true) return inside;
  const [text] = scalar.args;
  return text !== undefined && holdsTexts.has(text.type) && readsRow(text) ? [...inside, text] : inside;
}
