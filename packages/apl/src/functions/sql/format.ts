import { call, column, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { elementTexts } from '../../lower/json/json-parts.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { isOneOf } from '../is-one-of.js';
import { statements } from './parse.js';

const textAt = (model: Expr, key: string): Expr => call('JSONExtractString', model, literal(key));

const list = (model: Expr, key: string, element: (item: Expr) => Expr): Expr =>
  call(
    'arrayStringConcat',
    call('arrayMap', lambda(['item'], element(column('item'))), elementTexts(model, literal(key))),
    literal(', '),
  );

/** The text between `before` and `after`, or nothing if it is empty. */
const leadText = (before: string, text: Expr, after = ''): Expr =>
  shareSubexpression(text, (value) =>
    call('if', call('empty', value), literal(''), call('concat', literal(before), value, literal(after))),
  );

const memberReader =
  (key: string) =>
  (item: Expr): Expr =>
    call('concat', textAt(item, key), leadText(' as ', textAt(item, 'as')));

const string = (item: Expr): Expr => call('JSONExtractString', item);

const join = (item: Expr): Expr =>
  call(
    'concat',
    literal(' '),
    textAt(item, 'join'),
    literal(' '),
    memberReader('table')(item),
    leadText(' on ', textAt(item, 'on')),
  );

/** The default direction is not written. */
const sortKey = (item: Expr): Expr =>
  call(
    'concat',
    textAt(item, 'colname'),
    call('if', call('equals', textAt(item, 'direction'), literal('desc')), literal(' desc'), literal('')),
    leadText(' nulls ', textAt(item, 'nulls')),
  );

/** The statement of a model; null for anything else. */
export function formattedSql(model: Expr): Expr {
  const joins = call(
    'arrayStringConcat',
    call('arrayMap', lambda(['item'], join(column('item'))), elementTexts(model, literal('joins'))),
  );
  const distinct = call('if', call('JSONExtractBool', model, literal('distinct')), literal('distinct '), literal(''));
  const columns = leadText(' ', call('concat', distinct, list(model, 'columns', memberReader('colname'))));
  const statement = textAt(model, 'statement');
  const isInsert = call('equals', statement, literal('insert'));
  const selects = call('notEmpty', elementTexts(model, literal('columns')));
  const text = call(
    'concat',
    call('if', isInsert, literal('insert into '), statement),
    leadText('', textAt(model, 'into')),
    leadText(' (', list(model, 'fields', string), ')'),
    leadText(' values ', list(model, 'values', string)),
    call('if', call('and', isInsert, selects), literal(' select'), literal('')),
    leadText(' ', list(model, 'update', memberReader('table'))),
    leadText(' set ', list(model, 'set', string)),
    call('if', selects, columns, literal('')),
    leadText(' from ', list(model, 'from', memberReader('table'))),
    joins,
    leadText(' where ', textAt(model, 'where')),
    leadText(' group by ', list(model, 'groupby', string)),
    leadText(' having ', textAt(model, 'having')),
    leadText(' order by ', list(model, 'orderby', sortKey)),
    leadText(' limit ', textAt(model, 'limit')),
    leadText(' offset ', textAt(model, 'offset')),
  );
  return call('if', isOneOf(statement, statements), text, nullOf('string'));
}
