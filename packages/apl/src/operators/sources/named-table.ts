import { column } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { isCalledByName } from '../../bind/as-table.js';
import { sourceText } from '../../bind/names/spelled-name.js';
import { bindScalar } from '../../bind/context.js';
import { emptyPlan } from '../../plan/empty-plan.js';
import type { Dataset, Rest } from '../../model/catalog.js';
import { consumeEach, consume } from '../../model/compile-budget.js';
import type { Plan, ScanPlan } from '../../plan/nodes.js';
import type { ColumnId } from '../../plan/scalar.js';
import type { Field, RestColumns, RestNames } from '../../plan/schema.js';
import type { NamePattern, Span } from '../../syntax/ast.js';
import { parse, parseExpression } from '../../syntax/parse.js';
import { escapeStars } from '../../syntax/stars.js';
import { findNearest } from '../../syntax/hints/suggestions.js';
import { fieldOf, project } from '../columns.js';
import type { OperatorContext } from '../define.js';
import { matchesPattern } from '../patterns.js';
import { unionOf } from '../tables/union-of.js';
import type { UnionPart } from '../tables/union-of.js';

/** A table by name: one defined in the query, a view, or a dataset. */
function bindTable(name: string, span: Span, context: OperatorContext): Plan {
  const { query } = context;
  const own = context.lets.get(name);
  if (own?.kind === 'table') return query.define(span, own.bind);
  if (own?.kind === 'function' && isCalledByName(own))
    return context.bindPipeline({
      kind: 'pipeline',
      source: { kind: 'call', callee: { text: name, quoted: false, span }, args: [], span },
      operators: [],
      span,
    });
  if (own?.kind === 'function') {
    const fix = { title: `Write ${name}()`, replacement: `${name}()` };
    query.report.error('unknown_dataset', span, `${name} is a function: write ${name}(…)`, fix);
    return emptyPlan;
  }
  const view = query.catalog.view?.(name);
  if (view !== undefined)
    return query.withinDepth(`view ${name}`, span, () => bindView(name, view, span, context)) ?? emptyPlan;
  const dataset = query.catalog.dataset(name);
  if (dataset !== undefined) return scanOf(dataset, span, context);
  // A missing table counts as well: searching for similar names takes longer than reading a table.
  if (!query.reads(span)) return emptyPlan;
  const tables = [...context.lets].flatMap(([key, value]) => (value.kind === 'table' ? [key] : []));
  const near = findNearest(name, [...tables, ...query.catalog.names]);
  const fix = near === undefined ? undefined : { title: `Change to ${near}`, replacement: sourceText(near) };
  const suggestion = near === undefined ? '' : `; did you mean ${near}?`;
  query.report.error('unknown_dataset', span, `dataset ${name} not found${suggestion}`, fix);
  return emptyPlan;
}

/** The union of the tables that are named. */
export const bindTables = (patterns: readonly NamePattern[], context: OperatorContext): Plan =>
  unionOf(tablesNamed(patterns, context), context);

/** The named tables, each once. A wildcard matches datasets. */
export function tablesNamed(patterns: readonly NamePattern[], context: OperatorContext): readonly UnionPart[] {
  const { catalog, report } = context.query;
  const names = new Map<string, Span>();
  for (const pattern of patterns) {
    const wildcard = wildcardIn(pattern, context);
    const matched = wildcard ? catalog.names.filter((name) => matchesPattern(wildcard, name)) : [pattern.text];
    if (matched.length === 0)
      report.error('unknown_dataset', pattern.span, `dataset ${pattern.text} not found: no dataset matches`);
    for (const name of matched) names.set(name, pattern.span);
  }
  return [...names].map(([name, span]) => ({ name, plan: bindTable(name, span, context) }));
}

/**
 * The pattern with wildcards, undefined for a single name. A quoted star is taken literally only if
 * there is such a name.
 */
function wildcardIn(pattern: NamePattern, { lets, query: { catalog } }: OperatorContext): NamePattern | undefined {
  const { text, wildcard, span } = pattern;
  if (wildcard) return pattern;
  if (!text.includes('*')) return undefined;
  const own = lets.get(text)?.kind ?? 'scalar';
  if (own !== 'scalar' || (catalog.view?.(text) ?? catalog.dataset(text)) !== undefined) return undefined;
  return { text: text.split('*').map(escapeStars).join('*'), wildcard: true, span };
}

function bindView(name: string, text: string, span: Span, context: OperatorContext): Plan {
  const { report } = context.query;
  return report.elsewhere(span, `in view ${name}: `, () => {
    const { program, diagnostics } = parse(text);
    for (const diagnostic of diagnostics) report.add(diagnostic);
    context.query.mentions.add(program);
    const { query, statements } = program;
    return query === undefined
      ? emptyPlan
      : context.query.inView(() => context.bindPipeline(query, context.bindStatements(statements)));
  });
}

/**
 * Reads a dataset: `_sysTime`, `_time`, its other fields in order of name, and its virtual fields.
 */
function scanOf(dataset: Dataset, span: Span, context: OperatorContext): Plan {
  const { query } = context;
  if (!query.reads(span)) return emptyPlan;
  query.datasets.add(dataset.name);
  for (const text of dataset.virtualFields?.values() ?? []) query.mentions.add(parseExpression(text).expr);
  const columns = new Map<ColumnId, Expr>();
  const read = (name: string, sql: Expr): ColumnId => {
    const id = query.fresh(name);
    columns.set(id, sql);
    return id;
  };
  const time = read('_time', column('_time'));
  const sysTime = read('_sysTime', column('_sysTime'));
  const rare = dataset.rest === undefined ? [] : query.mentions.among(dataset.rest.fields);
  consume((dataset.fields.size + rare.length) / 20);
  const known = [...dataset.fields.values(), ...rare]
    .filter(({ name }) => name !== '_time' && name !== '_sysTime')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const columnNames = [...known.map(({ name }) => name), ...(dataset.virtualFields?.keys() ?? [])];
  const taken = new Set(columnNames);
  const rest: RestColumns | undefined = dataset.rest && {
    bag: read('rest', dataset.rest.bag(columnNames)),
    // A search reads the columns as well. Only the fields that the query mentions, and may remove
    // before the search, are excluded here.
    text: read('rest text', dataset.rest.text(columnNames.filter((name) => query.mentions.has(name)))),
    names: without(dataset.rest, taken),
  };
  const fields: readonly Field[] = [
    { name: '_sysTime', readings: [{ type: 'datetime', id: sysTime }] },
    { name: '_time', readings: [{ type: 'datetime', id: time }] },
    ...known.map(({ name, readings }) => ({
      name,
      readings: readings.map(({ type, sql }) => ({ type, id: read(name, sql) })),
      events: time,
    })),
  ];
  const scan: ScanPlan = {
    kind: 'scan',
    dataset: dataset.name,
    database: dataset.database,
    table: dataset.table,
    columns,
    schema: {
      fields,
      rowId: { sysTime, time, seq: read('_seq', column('_seq')), row: read('_row', column('_row')) },
      ...(rest !== undefined && { rest }),
    },
  };
  let plan: Plan = scan;
  for (const [name, text] of dataset.virtualFields ?? []) plan = withVirtualField(plan, name, text, span, context);
  return plan;
}

/** The names of rare fields that are no columns. */
const without = ({ fields, renamed, members }: Rest, columns: ReadonlySet<string>): RestNames => ({
  beneath: (path) => fields.beneath(path),
  has: (name) => fields.has(name) && !columns.has(name),
  *names() {
    for (const name of consumeEach(fields.names(), 0.05)) if (!columns.has(name)) yield name;
  },
  renamed,
  members,
});

/**
 * A field computed from an expression. An expression that was valid when it was stored may be
 * invalid for fields that have arrived since; that is only a warning, because the events can still
 * be read.
 */
function withVirtualField(plan: Plan, name: string, text: string, span: Span, context: OperatorContext): Plan {
  const { report } = context.query;
  const { expr, diagnostics } = parseExpression(text);
  const scope = context.scalarScope(plan.schema);
  const { result, found } = report.apart(() => {
    for (const diagnostic of diagnostics) report.add(diagnostic);
    const bind = () => context.query.inVirtualField(() => bindScalar(expr, scope));
    return report.failed ? undefined : context.query.expressions.apart(bind);
  });
  const wrong = found.find(({ severity }) => severity === 'error');
  if (wrong !== undefined || result === undefined) {
    report.warning('virtual_field', span, `the virtual field ${name} is left out: ${wrong?.message ?? ''}`);
    return plan;
  }
  // Its warnings matter only in queries that name it.
  if (context.query.mentions.has(name))
    report.elsewhere(span, `in virtual field ${name}: `, () => found.forEach((each) => report.add(each)));
  const { field, computed } = fieldOf(name, result, scope);
  return project(plan, [...plan.schema.fields.filter((f) => f.name !== name), field], computed);
}
