import { call } from '@millrace/sql';
import { asString } from '../lower/values.js';
import { param } from '../functions/define.js';
import type { Overload } from '../functions/define.js';
import { constant } from '../plan/scalar.js';
import type { Bound, Scalar } from '../plan/scalar.js';

/** Any value as text, null staying null. */
export function textOf(bound: Bound): Scalar {
  const [first, ...others] = bound;
  if (others.length > 0) return coalesced(bound.map((reading) => textOf([reading])));
  const scalar = first;
  if (scalar.type === 'string') return scalar;
  if (scalar.kind === 'constant' && scalar.value === null) return constant('string', null);
  return { kind: 'call', type: 'string', name: 'text', overload: text, args: [scalar] };
}

/** Readings of a mixed field: at most one is not null. */
const coalesced = (texts: readonly Scalar[]): Scalar => ({
  kind: 'call',
  type: 'string',
  name: 'coalesce',
  overload: firstText,
  args: texts,
});

const firstText: Overload = {
  params: [],
  rest: param('text', 'string'),
  returns: 'string',
  lower: (args) => call('coalesce', ...args.map((arg) => arg.sql)),
};

const text: Overload = {
  params: [param('value', 'any')],
  returns: 'string',
  lower: ([value]) => asString(value!),
};
