import { call, literal } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { defineFunction, param } from '../define.js';
import type { FunctionRecord } from '../define.js';
import { formattedSql } from './format.js';
import { parsedSql } from './parse.js';

const roundTrip = (sql: string, formatted: string): { readonly apl: string; readonly gives: string } => ({
  apl: `format_sql(parse_sql(${JSON.stringify(sql)}))`,
  gives: formatted,
});

export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'parse_sql',
    summary:
      'A select, insert, update or delete statement as an object with statement, columns, from, joins, where, groupby, having, orderby, limit…; null for any other text.',
    params: [param('statement', 'string')],
    returns: 'bag',
    lower: ([sql]) => parsedSql(sql.sql),
    examples: [
      {
        apl: 'parse_sql("SELECT id, count(*) AS n FROM requests r WHERE status = \'a, b\' OR ms > 10 GROUP BY id ORDER BY n DESC, id")',
        gives: {
          statement: 'select',
          columns: [{ colname: 'id' }, { colname: 'count(*)', as: 'n' }],
          from: [{ table: 'requests', as: 'r' }],
          where: "status = 'a, b' or ms > 10",
          groupby: ['id'],
          orderby: [
            { colname: 'n', direction: 'desc' },
            { colname: 'id', direction: 'asc' },
          ],
        },
      },
      {
        apl: 'parse_sql("select a from t order by a desc nulls last, b nulls first").orderby',
        gives: [
          { colname: 'a', direction: 'desc', nulls: 'last' },
          { colname: 'b', direction: 'asc', nulls: 'first' },
        ],
      },
      { apl: 'parse_sql("select 1").columns[0].colname', gives: '1' },
      { apl: 'parse_sql("select \'it").statement', gives: null },
      { apl: 'parse_sql("drop table t")', gives: null },
      { apl: 'parse_sql("select a from t union all select b from u")', gives: null },
      { apl: 'parse_sql("select (a from t")', gives: null },
      { apl: 'parse_sql("")', gives: null },
    ],
    differs: {
      axiom:
        'Conditions are texts with uniform spacing and keywords in lower case, not trees. No common table expressions, window functions or procedures, as documented.',
    },
  }),
  defineFunction({
    name: 'format_sql',
    summary: 'The statement described by an object from parse_sql, keywords in lower case; null for any other value.',
    params: [param('model', 'bag')],
    returns: 'string',
    lower: ([model]) => shareSubexpression(call('ifNull', model.sql, literal('')), formattedSql),
    examples: [
      roundTrip(
        'select a from t order by a desc NULLS last, b asc nulls first',
        'select a from t order by a desc nulls last, b nulls first',
      ),
      roundTrip(
        'SELECT DISTINCT id ,Status FROM requests -- slow\n WHERE ms>1000 AND name IN(\'x\', "Y") ORDER BY ms DESC LIMIT 10;',
        'select distinct id, Status from requests where ms > 1000 and name in (\'x\', "Y") order by ms desc limit 10',
      ),
      roundTrip(
        'select a.x, coalesce(b.y, 0) y from a LEFT JOIN b AS c ON a.id = c.id where exists (select 1 from d) having sum( x )>1',
        'select a.x, coalesce(b.y, 0) as y from a left join b as c on a.id = c.id where exists (select 1 from d) having sum(x) > 1',
      ),
      roundTrip('INSERT INTO t(a, b) VALUES (1, f(2)), (3, 4)', 'insert into t (a, b) values (1, f(2)), (3, 4)'),
      roundTrip("UPDATE t SET a = 'ä', b = b + 1 WHERE id = 5", "update t set a = 'ä', b = b + 1 where id = 5"),
      roundTrip('DELETE FROM t WHERE id = 5', 'delete from t where id = 5'),
      { apl: 'format_sql(dynamic({"a": 1}))', gives: null },
    ],
  }),
];
