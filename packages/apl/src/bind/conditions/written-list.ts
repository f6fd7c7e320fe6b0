import { fitsInt64 } from '../../model/int64.js';
import { constant, nullScalar } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import type { Expr, Tabular } from '../../syntax/ast.js';
import { isDynamic } from '../../model/types.js';
import { single } from '../values/coerce.js';

/** Lists of a query after `in` and similar operators. */

/** Whether a pipeline stands in the place of the list. */
export const isPipeline = (list: readonly Expr[] | Tabular): list is Tabular => !Array.isArray(list);

/** Flattens a constant array into its elements, including nested ones. */
export function flattenList(bound: Bound): readonly Scalar[] {
  const scalar = single(bound);
  if (scalar.kind !== 'constant' || !isDynamic(scalar.type) || typeof scalar.value !== 'string') return [scalar];
  return flatten(scalar.value);
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^[\]{}:,"\s]+/g;

/**
 * The values in the JSON of an array, and in arrays within it. `JSON.parse` would not do:
 * JavaScript numbers keep only 53 bits.
 */
function flatten(json: string): readonly Scalar[] {
  const values: Scalar[] = [];
  let object = '';
  let depth = 0;
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === '{') depth++;
    if (depth > 0) object += token;
    else if (!'[,]'.includes(token)) values.push(valueOf(token));
    if (token !== '}' || --depth > 0) continue;
    values.push(constant('bag', object));
    object = '';
  }
  return values;
}

function valueOf(token: string): Scalar {
  if (token.startsWith('"')) return constant('string', JSON.parse(token));
  if (token === 'null') return nullScalar;
  if (token === 'true' || token === 'false') return constant('bool', token === 'true');
  const isLong = /^-?\d+$/.test(token) && fitsInt64(BigInt(token));
  return isLong ? constant('long', BigInt(token)) : constant('real', Number(token));
}
