import { fit, single } from '../bind/values/coerce.js';
import { bindScalar } from '../bind/context.js';
import { typeNameOf } from '../model/result-types.js';
import type { BindOperator } from './define.js';

/** `where P`: rows where the predicate is exactly true. */
export const bindWhere: BindOperator<'where'> = ({ predicate }, input, context) => {
  const value = bindScalar(predicate, context.scalarScope(input.schema));
  const found = fit(value, 'bool');
  if (found === undefined) {
    const type = typeNameOf([single(value).type]);
    context.query.report.error('type_mismatch', predicate.span, `where needs a condition, but this is ${type}`);
    return input;
  }
  // A comparison of types that never match has its own warning.
  const compares = context.query.report.has('never_matches', predicate.span);
  if (found.scalar.kind === 'constant' && found.scalar.value === true && !compares)
    context.query.report.warning(
      'always_true',
      predicate.span,
      'where clause always evaluates to TRUE, which will include all data',
    );
  return { kind: 'filter', schema: input.schema, input, predicate: found.scalar };
};
