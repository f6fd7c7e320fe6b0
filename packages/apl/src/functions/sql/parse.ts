import { and, call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { isOneOf } from '../is-one-of.js';
import {
  aliasLength,
  at,
  clause,
  clausesOf,
  isWellFormed,
  joinWords,
  length,
  listItems,
  textOf,
  tokensOf,
} from './tokens.js';

/** The words that begin the statements that can be parsed. */
export const statements = ['select', 'insert', 'update', 'delete'];

const json = (text: Expr): Expr => call('toJSONString', text);
const concat = (...parts: readonly (Expr | string)[]): Expr =>
  call('concat', ...parts.map((part) => (typeof part === 'string' ? literal(part) : part)));
const jsonList = (items: Expr, element: (item: Expr) => Expr): Expr =>
  concat(
    '[',
    call('arrayStringConcat', call('arrayMap', lambda(['item'], element(column('item'))), items), literal(',')),
    ']',
  );
const from = (tokens: Expr, start: number): Expr => call('arraySlice', tokens, integer(start));

/** `{"colname": …, "as": …}` */
const tokenReader =
  (key: string) =>
  (tokens: Expr): Expr =>
    shareSubexpression(aliasLength(tokens), (alias) =>
      concat(
        `{"${key}":`,
        json(textOf(call('arraySlice', tokens, integer(1), call('minus', length(tokens), alias)))),
        call('if', call('equals', alias, integer(0)), literal(''), concat(',"as":', json(at(tokens, -1)))),
        '}',
      ),
    );

/**
 * `{"colname": …, "direction": "desc", "nulls": "last"}`; `nulls` is present only if the statement
 * gives it.
 */
function sortKey(tokens: Expr): Expr {
  const saysNulls = and(call('equals', at(tokens, -2), literal('nulls')), isOneOf(at(tokens, -1), ['first', 'last']));
  const without = (count: number): Expr =>
    call('arraySlice', tokens, integer(1), call('minus', length(tokens), integer(count)));
  return shareSubexpression(call('if', saysNulls, without(2), tokens), (key) => {
    const hasDirection = isOneOf(at(key, -1), ['asc', 'desc']);
    return concat(
      '{"colname":',
      json(textOf(call('if', hasDirection, call('arrayPopBack', key), key))),
      ',"direction":',
      json(call('if', hasDirection, at(key, -1), literal('asc'))),
      call('if', saysNulls, concat(',"nulls":', json(at(tokens, -1))), literal('')),
      '}',
    );
  });
}

/** `{"join": "left join", "table": …, "as": …, "on": …}` */
function join(tokens: Expr): Expr {
  const isJoinWord = lambda(['token'], isOneOf(column('token'), joinWords));
  return shareSubexpression(call('arrayCount', isJoinWord, tokens), (words) =>
    shareSubexpression(call('indexOf', tokens, literal('on')), (on) => {
      const hasOn = call('greater', on, integer(0));
      const end = call('if', hasOn, on, call('plus', length(tokens), integer(1)));
      const size = call('minus', call('minus', end, words), integer(1));
      const source = call('arraySlice', tokens, call('plus', words, integer(1)), size);
      return concat(
        '{"join":',
        json(textOf(call('arraySlice', tokens, integer(1), words))),
        ',',
        shareSubexpression(tokenReader('table')(source), (object) =>
          call('substring', object, integer(2), call('minus', call('length', object), integer(2))),
        ),
        call(
          'if',
          hasOn,
          concat(',"on":', json(textOf(call('arraySlice', tokens, call('plus', on, integer(1)))))),
          literal(''),
        ),
        '}',
      );
    }),
  );
}

/** A key of the model, absent if its clause is. */
const key = (name: string, tokens: Expr, value: (tokens: Expr) => Expr): Expr =>
  shareSubexpression(tokens, (all) =>
    call('if', call('notEmpty', all), concat(`,"${name}":`, value(all)), literal('')),
  );

const text = (tokens: Expr): Expr => json(textOf(tokens));

/**
 * The model of a statement as JSON text; null for a text that is not one of the known statements.
 */
export function parsedSql(sql: Expr): Expr {
  return shareSubexpression(tokensOf(sql), (tokens) => {
    const known = and(
      isOneOf(at(tokens, 1), statements),
      call('greater', length(tokens), integer(1)),
      isWellFormed(tokens),
    );
    return call(
      'if',
      call('ifNull', known, literal(false)),
      shareSubexpression(clausesOf(tokens), modelOfOne),
      nullOf('bag'),
    );
  });
}

/** The model of a single statement; a union has none. */
function modelOfOne(clauses: Expr): Expr {
  const isCompound = call(
    'arrayExists',
    lambda(['clause'], isOneOf(at(column('clause'), 1), ['union', 'except', 'intersect'])),
    clauses,
  );
  return call('if', isCompound, nullOf('bag'), model(clauses));
}

function model(clauses: Expr): Expr {
  const select = clause(clauses, 'select');
  const distinct = call('equals', at(select, 2), literal('distinct'));
  const joins = call('arrayFilter', lambda(['clause'], isOneOf(at(column('clause'), 1), joinWords)), clauses);
  const insert = from(clause(clauses, 'insert'), 3);
  return concat(
    '{"statement":',
    json(at(at(clauses, 1), 1)),
    key('into', call('arraySlice', insert, integer(1), integer(1)), (table) =>
      json(call('trimRight', at(table, 1), literal('('))),
    ),
    key('fields', from(insert, 2), (tokens) =>
      jsonList(
        listItems(
          call(
            'arrayFilter',
            lambda(['token'], call('notIn', column('token'), call('tuple', literal('('), literal(')')))),
            tokens,
          ),
        ),
        text,
      ),
    ),
    key('values', from(clause(clauses, 'values'), 2), (tokens) => jsonList(listItems(tokens), text)),
    key('update', from(clause(clauses, 'update'), 2), (tokens) => jsonList(listItems(tokens), tokenReader('table'))),
    key('set', from(clause(clauses, 'set'), 2), (tokens) => jsonList(listItems(tokens), text)),
    call('if', distinct, literal(',"distinct":true'), literal('')),
    key('columns', call('if', distinct, from(select, 3), from(select, 2)), (tokens) =>
      jsonList(listItems(tokens), tokenReader('colname')),
    ),
    key('from', from(clause(clauses, 'from'), 2), (tokens) => jsonList(listItems(tokens), tokenReader('table'))),
    call('if', call('notEmpty', joins), concat(',"joins":', jsonList(joins, join)), literal('')),
    key('where', from(clause(clauses, 'where'), 2), text),
    key('groupby', from(clause(clauses, 'group'), 3), (tokens) => jsonList(listItems(tokens), text)),
    key('having', from(clause(clauses, 'having'), 2), text),
    key('orderby', from(clause(clauses, 'order'), 3), (tokens) => jsonList(listItems(tokens), sortKey)),
    key('limit', from(clause(clauses, 'limit'), 2), text),
    key('offset', from(clause(clauses, 'offset'), 2), text),
    '}',
  );
}
