import { call, cast, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { defineOverload, param } from '../../functions/define.js';
import type { Overload } from '../../functions/define.js';
import type { RestNames } from '../../plan/schema.js';

/**
 * Rare fields of a row: their object is a JSON text without blanks, or null if the row has no event
 * on its side of a join.
 */

const present = (bag: Expr): Expr => call('ifNull', bag, literal('{}'));

/** The object with the members of two, which have none in common. */
export const bothBags = defineOverload({
  params: [param('left', 'bag'), param('right', 'bag')],
  returns: 'bag',
  lower([left, right]) {
    const inside = call(
      'substring',
      column('bag'),
      integer(2),
      call('minus', call('length', column('bag')), integer(2)),
    );
    const members = call('arrayMap', lambda(['bag'], inside), call('array', present(left.sql), present(right.sql)));
    const some = call('arrayFilter', lambda(['members'], call('notEmpty', column('members'))), members);
    return call('concat', literal('{'), call('arrayStringConcat', some, literal(',')), literal('}'));
  },
});

/** The values of both, one per line. */
export const bothTexts = defineOverload({
  params: [param('left', 'string'), param('right', 'string')],
  returns: 'string',
  lower: ([left, right]) =>
    call('concat', call('ifNull', left.sql, literal('')), literal('\n'), call('ifNull', right.sql, literal(''))),
});

/** The values alone, one per line. */
export const textOfBag = defineOverload({
  params: [param('bag', 'bag')],
  returns: 'string',
  lower([bag]) {
    const pairs = call('JSONExtractKeysAndValues', present(bag.sql), literal('String'));
    const values = call('arrayMap', lambda(['pair'], call('tupleElement', column('pair'), integer(2))), pairs);
    return call('arrayStringConcat', values, literal('\n'));
  },
});

/** The object with its members in one order, so that equal rows have equal texts. */
export const sortedBag = defineOverload({
  params: [param('bag', 'bag')],
  returns: 'bag',
  lower([bag]) {
    const pairs = call('JSONExtractKeysAndValues', present(bag.sql), literal('String'));
    return call('toJSONString', cast(call('arraySort', pairs), 'Map(String, String)'));
  },
});

/**
 * The object with other names for some fields; the names are computed only if the query reads it.
 */
export const renamedBag = (names: () => ReadonlyMap<string, string>, renamed: RestNames['renamed']): Overload =>
  defineOverload({
    params: [param('bag', 'bag')],
    returns: 'bag',
    lower([bag]) {
      const changes = names();
      return changes.size === 0 ? bag.sql : renamed(bag.sql, changes);
    },
  });
