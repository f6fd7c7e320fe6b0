import { and, call, column, type Expr, integer, lambda, literal, not, or } from '@millrace/sql';
import { fieldOfPhysical } from './field-of-physical.js';
import { type FieldType, physicalName } from '@millrace/events';

/**
 * Fields of an object of physical names and texts that lie below a path, as members of nested JSON
 * objects: `,"a":{"b":1,"c":2},"d":"x"`, empty if there are none.
 * @param except members whose own members are left out
 */
export function nestedMembers(bag: Expr, path: string, except: readonly string[]): Expr {
  const prefix = literal(`${path}.`);
  const isLeftOut = except.map((key) => call('startsWith', part('pair', 1), literal(`${path}.${key}.`)));
  const isBelow = call('startsWith', part('pair', 1), prefix);
  const members = call(
    'arrayFilter',
    lambda(['pair'], isLeftOut.length === 0 ? isBelow : and(isBelow, not(or(...isLeftOut)))),
    pairsOf(bag),
  );
  const inside = call('substring', fieldOfPhysical(part('pair', 1)), call('plus', call('length', prefix), integer(1)));
  const entry = call('tuple', call('splitByString', literal('.'), inside), jsonOf(part('pair', 1), part('pair', 2)));
  const entries = call(
    'arraySort',
    lambda(['entry'], part('entry', 1)),
    call('arrayMap', lambda(['pair'], entry), members),
  );
  return call(
    'arrayElement',
    call('arrayMap', lambda(['entries'], nestMembers(column('entries'))), call('array', entries)),
    integer(1),
  );
}

const part = (name: string, n: 1 | 2): Expr => call('tupleElement', column(name), integer(n));

/** The pairs of names and texts, without JSON where the object is made of a map right here. */
function pairsOf(bag: Expr): Expr {
  if (bag.kind !== 'call' || bag.name !== 'toJSONString')
    return call('JSONExtractKeysAndValues', call('ifNull', bag, literal('{}')), literal('String'));
  const [map] = bag.args;
  return call(
    'arrayMap',
    lambda(['key', 'value'], call('tuple', column('key'), column('value'))),
    call('mapKeys', map!),
    call('mapValues', map!),
  );
}

/** JSON of a value by the mark at the end of its physical name. */
const jsonOf = (name: Expr, text: Expr): Expr =>
  call(
    'if',
    call('in', call('right', name, integer(2)), call('tuple', ...quotedTypes.map(literal))),
    call('toJSONString', text),
    text,
  );
const quotedTypes = (['string', 'datetime'] as const satisfies readonly FieldType[]).map((type) =>
  physicalName('', type),
);

/**
 * JSON of sorted entries (path steps, value). Each entry closes the objects it is not in and opens
 * the ones it comes first in.
 */
function nestMembers(entries: Expr): Expr {
  const before = call(
    'arrayPopBack',
    call('arrayPushFront', entries, call('tuple', call('emptyArrayString'), literal(''))),
  );
  const texts = call('arrayMap', lambda(['entry', 'before'], withShared(sharedSteps)), entries, before);
  const last = call('tupleElement', call('arrayElement', entries, integer(-1)), integer(1));
  return call(
    'concat',
    call('arrayStringConcat', texts),
    closingBraces(call('minus', call('length', last), integer(1))),
  );
}

const steps = part('entry', 1);
const stepsBefore = part('before', 1);
const closingBraces = (count: Expr): Expr => call('repeat', literal('}'), call('greatest', count, integer(0)));

/** How many of the objects that the entry is in are those of the entry before. */
const sharedSteps: Expr = (() => {
  const max = call(
    'greatest',
    call('minus', call('least', call('length', steps), call('length', stepsBefore)), integer(1)),
    integer(0),
  );
  const different = call(
    'arrayFirstIndex',
    lambda(['a', 'b'], call('notEquals', column('a'), column('b'))),
    call('arraySlice', steps, integer(1), max),
    call('arraySlice', stepsBefore, integer(1), max),
  );
  return call('if', call('equals', different, integer(0)), max, call('minus', different, integer(1)));
})();

function withShared(shared: Expr): Expr {
  const opened = call(
    'arraySlice',
    steps,
    call('plus', column('shared'), integer(1)),
    call('minus', call('length', steps), call('plus', column('shared'), integer(1))),
  );
  const text = call(
    'concat',
    closingBraces(call('minus', call('length', stepsBefore), call('plus', column('shared'), integer(1)))),
    literal(','),
    call(
      'arrayStringConcat',
      call('arrayMap', lambda(['step'], call('concat', call('toJSONString', column('step')), literal(':{'))), opened),
    ),
    call('toJSONString', call('arrayElement', steps, integer(-1))),
    literal(':'),
    part('entry', 2),
  );
  return call('arrayElement', call('arrayMap', lambda(['shared'], text), call('array', shared)), integer(1));
}
