import { functionNamed } from '../../functions/index.js';
import { constant, constantText, nullScalar } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import type { Span } from '../../syntax/ast.js';
import { bindCall } from '../calls/calls.js';
import type { QueryContext } from '../context.js';

/**
 * `a == ''` as `isempty(a)`: a missing text equals the empty one, as in languages in which texts
 * are never null. Undefined where neither side is the empty text, or the other holds no texts.
 */
export function equalsEmpty(
  { left, right, span }: { readonly left: Bound; readonly right: Bound; readonly span: Span },
  query: QueryContext,
): Scalar | undefined {
  const value = isEmptyText(right) ? left : isEmptyText(left) ? right : undefined;
  if (value === undefined) return undefined;
  // A column that no event has is null in all of them.
  if (value[0] === nullScalar) return constant('bool', true);
  if (!value.some(mayBeText)) return undefined;
  const overloads = functionNamed('isempty')?.overloads ?? [];
  return bindCall({ name: 'isempty', overloads, args: [{ value, span }], span }, query);
}

const isEmptyText = ([only, ...others]: Bound): boolean => others.length === 0 && constantText(only) === '';

/** Constants are compared as they are. */
const mayBeText = ({ type, kind }: Scalar): boolean => kind !== 'constant' && (type === 'string' || type === 'dynamic');
