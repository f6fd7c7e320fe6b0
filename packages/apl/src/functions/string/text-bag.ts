import { call, column, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { part } from '../json-text.js';

/** JSON text of an object whose members are an array of tuples (key, text). */
export function textBag(members: Expr): Expr {
  const member = column('member');
  const written = call(
    'concat',
    call('toJSONString', part(member, 1)),
    literal(':'),
    call('toJSONString', part(member, 2)),
  );
  const all = call('arrayStringConcat', call('arrayMap', lambda(['member'], written), members), literal(','));
  return call('concat', literal('{'), all, literal('}'));
}
