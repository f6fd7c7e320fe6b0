import { defineOverload, param } from '../../functions/define.js';
import type { Overload } from '../../functions/define.js';
import { memberOfPacked } from '../../lower/json/packed-object.js';
import { memberOf } from '../../lower/json/members.js';
import { constant, nullScalar } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { typeNameOf } from '../../model/result-types.js';
import type { Name, Span } from '../../syntax/ast.js';
import { apply } from '../calls/calls.js';
import { dynamicOf, single } from '../values/coerce.js';
import type { Scope } from '../context.js';
import { urlMember } from './url-members.js';

/** A key of an object or an element of an array. */
export function member(object: Bound, index: Scalar, span: Span, scope: Scope): Bound {
  const json = dynamicOf(object);
  if (json === undefined) {
    if (object.every((scalar) => scalar.kind === 'constant' && scalar.value === null)) return [nullScalar];
    const type = single(object).type;
    const help =
      type === 'string'
        ? '; parse_json() reads JSON out of text'
        : type === 'datetime'
          ? "; parts of a time are read by datetime_part('hour', t)"
          : '';
    scope.query.report.warning('type_mismatch', span, `${typeNameOf([type])} has no members, so this is null${help}`);
    return [nullScalar];
  }
  const overload = index.type === 'long' || index.type === 'string' ? memberAccess[index.type] : undefined;
  if (overload === undefined) {
    scope.query.report.error('type_mismatch', span, `an index must be a string or a whole number, not ${index.type}`);
    return [nullScalar];
  }
  if (json.type === 'array' && index.type === 'string')
    scope.query.report.warning(
      'type_mismatch',
      span,
      'an array has no keys, so this is null; [0] is its first element, and mv-expand makes a row of each',
    );
  const lookUp = (key: Scalar): Scalar => apply('member', overload, [json, key], scope.query);
  return [urlMember(json, index, scope.query, (key) => lookUp(constant('string', key))) ?? lookUp(index)];
}

/** Looks up a path of keys. */
export const members = (object: Bound, keys: readonly Name[], scope: Scope): Bound =>
  keys.reduce<Bound>((value, { text, span }) => member(value, constant('string', text), span, scope), object);

const access = (type: 'long' | 'string'): Overload =>
  defineOverload({
    params: [param('object', 'dynamic'), param('index', type)],
    returns: 'dynamic',
    lower: ([object, index]) =>
      (typeof index.constant === 'string' ? memberOfPacked(object.sql, index.constant) : undefined) ??
      memberOf(object.sql, index),
  });

const memberAccess = { long: access('long'), string: access('string') };
