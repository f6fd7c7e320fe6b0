import { bindSingle } from '../bind/context.js';
import type { BindOperator } from './define.js';

/** `sample 0.1`: about this fraction of the rows, at random. */
export const bindSample: BindOperator<'sample'> = ({ fraction }, input, context) => {
  const scalar = bindSingle(fraction, context.constantScope);
  const value = scalar.kind === 'constant' && typeof scalar.value === 'number' ? scalar.value : Number.NaN;
  if (!(value > 0 && value < 1)) {
    const message = 'sample takes a fraction of the rows between 0 and 1, such as 0.1; for a number of rows use take';
    context.query.report.error('argument_type', fraction.span, message);
    return input;
  }
  return { kind: 'sample', schema: input.schema, input, fraction: value };
};
