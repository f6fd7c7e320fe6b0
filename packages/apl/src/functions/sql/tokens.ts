import { and, call, column, integer, lambda, literal, not, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { mapElements } from '../array/elements.js';
import { isOneOf } from '../is-one-of.js';

/**
 * SQL texts are taken apart by the engine itself, so that statements in fields can be parsed: a
 * statement becomes an array of tokens, which is split at clauses, and at commas outside
 * parentheses. A name and the parenthesis after it are one token.
 */

const TOKEN = [
  '--[^\\n]*',
  '/\\*.*?\\*/',
  "'(?:[^'\\\\]|\\\\.|'')*'",
  '"[^"]*"',
  '`[^`]*`',
  '<=|>=|<>|!=|\\|\\||::',
  '[\\pL_@$?:][\\pL\\pN_$]*(?:\\.(?:[\\pL_][\\pL\\pN_$]*|\\*))*\\(?',
  '[0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?',
  '\\S',
].join('|');

/** Words that are never names of functions. */
const words =
  'select distinct all from where group by having order limit offset union except intersect insert into values update set delete returning left right inner full outer cross natural join on using as and or not in is like between exists case when then else end asc desc nulls first last null true false'.split(
    ' ',
  );
const clauseWords =
  'select from where group having order limit offset union except intersect insert values update set delete returning'.split(
    ' ',
  );
export const joinWords = 'left right inner full outer cross natural join'.split(' ');
/** Words that no alias can follow. */
const operatorWords = words.filter((word) => !['end', 'null', 'true', 'false', 'last', 'first'].includes(word));

const lower = (text: Expr): Expr => call('lower', text);
export const length = (array: Expr): Expr => call('length', array);
export const at = (array: Expr, index: number): Expr => call('arrayElement', array, integer(index));
const opens = (token: Expr): Expr => call('endsWith', token, literal('('));
const is = (token: Expr, text: string): Expr => call('equals', token, literal(text));

/** The tokens of a text; keywords in lower case, comments and semicolons left out. */
export function tokensOf(sql: Expr): Expr {
  const found = call('extractAll', sql, literal(`(?s)${TOKEN}`));
  const kept = call(
    'arrayFilter',
    lambda(
      ['token'],
      not(
        or(
          call('startsWith', column('token'), literal('--')),
          call('startsWith', column('token'), literal('/*')),
          is(column('token'), ';'),
        ),
      ),
    ),
    found,
  );
  const split = mapElements(kept, 'token', (token) =>
    call(
      'multiIf',
      isOneOf(lower(token), words),
      call('array', lower(token)),
      isOneOf(
        lower(token),
        words.filter((word) => word !== 'left' && word !== 'right').map((word) => `${word}(`),
      ),
      call('array', lower(call('trimRight', token, literal('('))), literal('(')),
      call('array', token),
    ),
  );
  return call('arrayFlatten', split);
}

/** How many parentheses are open after each token. */
const depths = (tokens: Expr): Expr =>
  call(
    'arrayCumSum',
    mapElements(tokens, 'token', (token) =>
      call('minus', call('toInt32', opens(token)), call('toInt32', is(token, ')'))),
    ),
  );

/** Whether tokens can be a statement: no unclosed quote, parentheses in pairs. */
export const isWellFormed = (tokens: Expr): Expr =>
  and(
    not(call('hasAny', tokens, call('array', literal("'"), literal('"'), literal('`')))),
    call('equals', call('arrayElement', depths(tokens), integer(-1)), integer(0)),
    call('greaterOrEquals', call('arrayMin', call('arrayPushBack', depths(tokens), integer(0))), integer(0)),
  );

/** Each token's predecessor; an opening parenthesis for the first. */
const predecessors = (tokens: Expr): Expr => call('arrayPopBack', call('arrayPushFront', tokens, literal('(')));

/** Clauses as arrays of tokens, each beginning with its keyword; joins are clauses. */
export function clausesOf(tokens: Expr): Expr {
  const [token, before, depth] = [column('token'), column('before'), column('depth')];
  const starts = call(
    'arrayMap',
    lambda(
      ['token', 'before', 'depth'],
      and(
        call('equals', depth, integer(0)),
        or(isOneOf(token, clauseWords), and(isOneOf(token, joinWords), not(isOneOf(before, joinWords)))),
      ),
    ),
    tokens,
    predecessors(tokens),
    depths(tokens),
  );
  return call('arraySplit', lambda(['token', 'start'], column('start')), tokens, starts);
}

/** The clause of a keyword, keyword included; empty if there is none. */
export const clause = (clauses: Expr, keyword: string): Expr =>
  call('arrayFirst', lambda(['clause'], is(at(column('clause'), 1), keyword)), clauses);

/** Parts of a list between commas. */
export function listItems(tokens: Expr): Expr {
  const commas = call(
    'arrayMap',
    lambda(['token', 'depth'], and(is(column('token'), ','), call('equals', column('depth'), integer(0)))),
    tokens,
    depths(tokens),
  );
  const groups = call('arraySplit', lambda(['token', 'comma'], column('comma')), tokens, commas);
  return mapElements(groups, 'group', (group) =>
    call('if', is(at(group, 1), ','), call('arrayPopFront', group), group),
  );
}

/** Tokens as text with uniform spacing. */
export function textOf(tokens: Expr): Expr {
  return shareSubexpression(tokens, (all) => {
    const [token, before] = [column('token'), column('before')];
    const tight = or(isOneOf(token, [',', ')', '.', '::']), opens(before), isOneOf(before, ['.', '::']));
    const spaced = call('concat', call('if', tight, literal(''), literal(' ')), token);
    return call('arrayStringConcat', call('arrayMap', lambda(['token', 'before'], spaced), all, predecessors(all)));
  });
}

const isName = (token: Expr): Expr => call('match', token, literal('^[\\pL_"`][^(]*$'));

/** How many tokens at the end form an alias: two with `as`, one without, 0 if there is none. */
export function aliasLength(tokens: Expr): Expr {
  const [last, before] = [at(tokens, -1), at(tokens, -2)];
  const bare = and(
    isName(last),
    not(isOneOf(last, words)),
    or(
      is(before, ')'),
      call('match', before, literal("^[0-9'*]")),
      and(isName(before), not(isOneOf(before, operatorWords))),
    ),
  );
  return call(
    'multiIf',
    call('less', length(tokens), integer(2)),
    integer(0),
    is(before, 'as'),
    integer(2),
    bare,
    integer(1),
    integer(0),
  );
}
