import { call, column, integer, item, lambda, literal } from '@millrace/sql';
import type { Expr, SelectItem } from '@millrace/sql';
import type { ExpandPlan } from '../../plan/nodes.js';
import type { ColumnId } from '../../plan/scalar.js';
import { memberTexts } from '../json/json-parts.js';
import { arrayJson, elementsOf, withoutNull } from '../json/members.js';

/**
 * Additions of an expansion to a select: the arrays to join, the columns over their elements, and
 * the name of an element's position.
 */
interface Expansion {
  readonly items: readonly SelectItem[];
  readonly columns: ReadonlyMap<ColumnId, Expr>;
  readonly position: string;
}

/** The arrays as lists of JSON texts, padded with null to equal length. */
export function expand(plan: ExpandPlan, arrays: readonly Expr[]): Expansion {
  const lists = arrays.map((json) => elements(json, plan.bag));
  const lengths = lists.map((list) => call('length', list));
  const [only] = lengths;
  const longest = lengths.length === 1 && only !== undefined ? only : call('greatest', ...lengths);
  const count = plan.limit === undefined ? longest : call('least', longest, integer(plan.limit));
  const items = plan.arrays.map((a, i): SelectItem => {
    const list = lists[i] ?? call('array');
    const asIs = lists.length === 1 && plan.limit === undefined;
    return item(asIs ? list : call('arrayResize', list, count, literal('null')), joinName(a.id));
  });
  const columns = new Map(plan.arrays.map((a): [ColumnId, Expr] => [a.id, withoutNull(column(joinName(a.id)))]));
  const position = plan.index === undefined ? `position of ${items[0]?.alias}` : joinName(plan.index);
  if (plan.index !== undefined) columns.set(plan.index, call('toInt64', column(position)));
  return { items: [...items, item(call('range', count), position)], columns, position };
}

const joinName = (id: ColumnId): string => `${id}[]`;

/**
 * The list to expand: the elements of an array, the members of an object, or any other value, null
 * included, as the only element.
 */
function elements(json: Expr, bag: boolean): Expr {
  const text = call('ifNull', json, literal('null'));
  return call(
    'multiIf',
    call('startsWith', text, literal('[')),
    elementsOf(json),
    call('startsWith', text, literal('{')),
    call('arrayMap', lambda(['m'], pair(bag)), memberTexts(text)),
    call('array', text),
  );
}

/** A member as `{"key":value}` or `["key",value]`. */
function pair(bag: boolean): Expr {
  const key = call('toJSONString', call('tupleElement', column('m'), integer(1)));
  const value = call('tupleElement', column('m'), integer(2));
  return bag
    ? call('concat', literal('{'), key, literal(':'), value, literal('}'))
    : arrayJson(call('array', key, value));
}
