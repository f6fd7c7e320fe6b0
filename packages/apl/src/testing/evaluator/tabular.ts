import type { Expr, Operator, Program, TableSource, Tabular } from '../../syntax/ast.js';
import { appliedToElements } from './apply.js';
import { convert } from './conversions.js';
import { expand } from './expand.js';
import { joinTables } from './join.js';
import { madeSeries } from './make-series.js';
import { extend, project, selectColumns, union, validOrNull } from './columns.js';
import { parseColumns } from './parse.js';
import { keyValuesParsed } from './parse-kv.js';
import { redact } from './redact.js';
import { pivot } from './pivot.js';
import { generateRange } from './range.js';
import { reorderedNames } from './reorder.js';
import { schemaOf } from './schema.js';
import { buildSearch } from './search.js';
import { scalarOf } from './scalar.js';
import { replaceSubqueries } from './subqueries.js';
import { summarize } from './summarize.js';
import { sortRows } from './sort.js';
import { topNested } from './top-nested.js';
import { unpackBag } from './bag-unpack.js';
import { definedBy, writtenOut } from './written-out.js';
import type { Definitions } from './written-out.js';
import { identity, oneZero } from './values.js';
import type { Column, Row, Table } from './values.js';

export type Tables = Readonly<Record<string, Table>>;

/** The rows of a query, in order if it defines one. */
export function rowsOf({ statements, query }: Program, tables: Tables): Table {
  if (query === undefined) throw new Error('no query');
  const known: Record<string, Table> = { ...tables };
  let definitions: Definitions = new Map();
  for (const statement of statements) {
    const more = definedBy(statement, definitions);
    const value = statement.kind === 'let' ? tabularOf(writtenOut(statement.value, definitions)) : undefined;
    if (more !== undefined) definitions = more;
    else if (statement.kind !== 'let' || value === undefined) throw new Error(`not evaluated: ${statement.kind}`);
    else known[statement.name.text] = { ...tableOf(value, known), origin: originOf(value.source, known) };
  }
  return tableOf(writtenOut(query, definitions), known);
}

/** The table of a value; the parser parses a name alone as an expression. */
function tabularOf(value: Expr | Tabular): Tabular | undefined {
  if (value.kind === 'pipeline') return value;
  if (value.kind !== 'name') return undefined;
  const { name, span } = value;
  return {
    kind: 'pipeline',
    source: { kind: 'table', pattern: { ...name, wildcard: false }, quoted: true, span },
    operators: [],
    span,
  };
}

/** `as` defines the rows so far as a table for the following steps. */
function tableOf({ source, operators }: Tabular, tables: Tables): Table {
  const known: Record<string, Table> = { ...tables };
  return operators.reduce(
    (table, operator, i) => {
      const origin = asName(operators.slice(0, i)) ?? originOf(source, tables);
      if (operator.kind === 'as') known[operator.name.text] = { ...table, origin };
      return applyOperator(operator, table, known, origin);
    },
    sourceOf(source, tables),
  );
}

/** The name that `as` gave to rows that have not changed since. */
function asName(operators: readonly Operator[]): string | undefined {
  const last = operators.findLast(({ kind }) => kind !== 'render');
  return last?.kind === 'as' ? last.name.text : undefined;
}

/**
 * The dataset that a pipeline begins with, which `union withsource=` names unless `as` has given
 * the rows another name.
 */
function originOf(source: TableSource, tables: Tables): string {
  if (source.kind === 'nested') return originOf(source.query.source, tables);
  return source.kind === 'table' ? (tables[source.pattern.text]?.origin ?? source.pattern.text) : '';
}

function sourceOf(source: TableSource, tables: Tables): Table {
  switch (source.kind) {
    case 'table': {
      const found = tables[source.pattern.text];
      if (found === undefined) throw new Error(`no table ${source.pattern.text}`);
      return found;
    }
    case 'datatable': {
      const columns = source.columns.map(({ name, type = 'string' }) => ({ name: name.text, type }));
      const cells = source.cells.map((cell, i) =>
        convert(scalarOf(cell, []), columns[i % columns.length]!.type).at([[]], 0),
      );
      const rows = Array.from({ length: cells.length / columns.length }, (_, i): Row =>
        cells.slice(i * columns.length, (i + 1) * columns.length),
      );
      return { columns, rows };
    }
    case 'print':
      return project({ columns: [], rows: [[]] }, source.columns, (i) => `print_${i}`);
    case 'range':
      return generateRange(source);
    case 'nested':
      return tableOf(source.query, tables);
    case 'none':
      return { columns: [], rows: [] };
    default:
      throw new Error(`not evaluated: ${source.kind}`);
  }
}

/**
 * Name of a table in `union`: its name if it is named alone, which may be a `let`, or the name from
 * `as`.
 */
const writtenName = ({ source, operators }: Tabular, tables: Tables): string =>
  source.kind === 'table' && operators.length === 0
    ? source.pattern.text
    : (asName(operators) ?? originOf(source, tables));

/** @param origin the dataset that the rows come from */
function applyOperator(written: Operator, table: Table, tables: Tables, origin = ''): Table {
  const { columns, rows } = table;
  const operator = replaceSubqueries(written, (query) => tableOf(query, tables));
  switch (operator.kind) {
    case 'where': {
      const test = scalarOf(operator.predicate, columns);
      return { columns, rows: rows.filter((_, i) => test.at(rows, i) === true) };
    }
    case 'extend':
      return extend(table, operator.columns, operator.valid ? validOrNull : undefined);
    case 'serialize':
      return extend(table, operator.columns);
    case 'project':
      return project(table, operator.columns, (i) => `Column${i + 1}`);
    case 'project-away':
    case 'project-keep': {
      const isNamed = ({ name }: Column): boolean => operator.columns.some(({ text }) => matchesPattern(text, name));
      return selectColumns(
        table,
        columns.filter((column) => isNamed(column) === (operator.kind === 'project-keep')).map(({ name }) => name),
      );
    }
    case 'project-rename': {
      const renames = new Map(operator.renames.map(({ to, from }) => [from.text, to.text]));
      return { columns: columns.map(({ name, type }) => ({ name: renames.get(name) ?? name, type })), rows };
    }
    case 'project-reorder': {
      const names = columns.map(({ name }) => name);
      return selectColumns(table, reorderedNames(names, operator.items));
    }
    case 'summarize':
      return summarize(table, operator.by, operator.aggregates);
    case 'count':
      return { columns: [{ name: 'count', type: 'long' }], rows: [[BigInt(rows.length)]] };
    case 'distinct': {
      const some = operator.columns.some(({ value }) => value.kind === 'star')
        ? table
        : project(table, operator.columns, (i) => `Column${i + 1}`);
      const keys = some.rows.map((row) => row.map((value, i) => oneZero(some.columns[i]!.type, value)));
      const unique = new Map(keys.toReversed().map((row) => [row.map(identity).join(), row]));
      return { columns: some.columns, rows: [...unique.values()] };
    }
    case 'sort':
      return sortRows(table, operator.keys);
    case 'take':
      return { columns, rows: rows.slice(0, countOf(operator.count)) };
    case 'top':
      return { columns, rows: sortRows(table, [operator.key]).rows.slice(0, countOf(operator.count)) };
    case 'mv-expand':
      return expand(table, operator, operator.limit === undefined ? undefined : countOf(operator.limit));
    case 'mv-apply': {
      const limit = operator.limit === undefined ? undefined : countOf(operator.limit);
      return appliedToElements(table, operator, limit, (elements) =>
        operator.body.reduce((rows, inner) => applyOperator(inner, rows, tables), elements),
      );
    }
    case 'join':
      return joinTables(operator.join, table, tableOf(operator.right, tables), operator.on, false);
    case 'lookup':
      return joinTables(operator.join, table, tableOf(operator.right, tables), operator.on, true);
    case 'union':
      return union(
        [
          { ...table, origin },
          ...operator.tables.map((other) => ({ ...tableOf(other, tables), origin: writtenName(other, tables) })),
        ],
        operator.withSource?.text,
      );
    case 'parse':
      return parseColumns(table, operator);
    case 'parse-kv':
      return keyValuesParsed(table, operator);
    case 'search': {
      const test = buildSearch(operator.predicate, columns);
      return { columns, rows: rows.filter((_, i) => test.at(rows, i) === true) };
    }
    case 'make-series':
      return madeSeries(table, operator);
    case 'redact':
      return redact(table, operator);
    case 'getschema':
      return schemaOf(table);
    case 'top-nested':
      return topNested(table, operator.levels);
    case 'evaluate':
      return operator.plugin.text === 'pivot' ? pivot(table, operator.args) : unpackBag(table, operator.args);
    case 'as':
    case 'render':
      return table;
    default:
      throw new Error(`not evaluated: ${operator.kind}`);
  }
}

/** Whether a name matches a pattern, in which an asterisk at the end is any text. */
const matchesPattern = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

const countOf = (expr: Parameters<typeof scalarOf>[0] | undefined): number =>
  expr === undefined ? 10 : Number(scalarOf(expr, []).at([[]], 0));
