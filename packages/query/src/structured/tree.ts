import { type Ast, parseExpression } from '@millrace/apl';
import { isBelowNanosecond, parseDuration } from '@millrace/http/duration';
import { type Aggregate, aggregateOf } from './aggregations.js';
import type { StructuredBody } from './body.js';
import { memberError, structureError } from '../compile/query-error.js';
import { callExpr, fieldExpr, literal, nameOf, timespan } from './expressions.js';
import { filterExpr } from './filter.js';
import { BodyOrigins, shiftTree } from '../compile/body-origins.js';
import { requestBounds } from '@millrace/api/limits';

/**
 * A structured query in the form of parsed APL: from here on, both are compiled and run in the same
 * way.
 */
export type StructuredTree =
  | { readonly kind: 'events'; readonly origins: BodyOrigins; readonly program: Ast.Program }
  | {
      readonly kind: 'aggregation';
      readonly origins: BodyOrigins;
      /** One row per group. */
      readonly totals: Ast.Program;
      /** Whether the body says how many groups there may be. */
      readonly isLimited: boolean;
      /** One row per bucket and group, in the order of time. */
      readonly series: Ast.Program;
      readonly groups: readonly string[];
      readonly aggregates: readonly Aggregate[];
    };

interface Frame {
  readonly dataset: string;
  /** How many series there are if the body does not say how many groups. */
  readonly defaultLimit: number;
  /**
   * Nanoseconds since the epoch; only if the request gives both ends. Without it the resolution is
   * not checked.
   */
  readonly range?: { readonly start: bigint; readonly end: bigint };
}

/**
 * Translates a body.
 * @throws HttpError `invalid-request` naming the member that is wrong, `invalid-query` for APL in
 * it that cannot be read
 */
export function structuredTree(body: StructuredBody, frame: Frame): StructuredTree {
  const origins = new BodyOrigins();
  const resolution = resolutionOf(body.resolution);
  const span = origins.of('dataset');
  const operators: readonly Ast.Operator[] = [...virtualFields(body, origins), ...filter(body, origins)];
  const program = (more: readonly Ast.Operator[]): Ast.Program => {
    const source = {
      kind: 'table',
      pattern: { text: frame.dataset, wildcard: false, span },
      quoted: true,
      span,
    } as const;
    return { statements: [], query: { kind: 'pipeline', source, operators: [...operators, ...more], span }, span };
  };
  const groupMembers = membersOf(body.groupBy ?? []);
  const groups = [...groupMembers.keys()];
  const aggregations = body.aggregations ?? [];
  const { limit = 0 } = body;
  const take = (count: number): Ast.Operator => ({ kind: 'take', count: literal(BigInt(count), span), span });
  // Without one, the compiler limits the rows and reports this in the response.
  const ownLimit = limit > 0 ? [take(limit)] : [];
  if (aggregations.length === 0 && groups.length === 0)
    return { kind: 'events', origins, program: program([...eventOperators(body, origins), ...ownLimit]) };

  const aggregates = (aggregations.length > 0 ? aggregations : [{ op: 'count' }]).map((each, i) =>
    aggregateOf(each, i, origins),
  );
  const by = [...groupMembers].map(([name, member]) => {
    if (name === '_time')
      throw memberError(
        member,
        "cannot be _time, by which the series is divided; set 'resolution', or group by a virtual field such as bin(_time, 1h)",
      );
    return namedExpr(name, fieldExpr(name, origins.of(member)), span);
  });
  const bucket = namedExpr('_time', bucketExpr(resolution, frame, origins), span);
  const keys = groupOrder(body, groups, aggregates, origins);
  const summarize = (columns: readonly Ast.NamedExpr[]): Ast.Operator => ({
    kind: 'summarize',
    aggregates: aggregates.map(({ expr }) => expr),
    by: columns,
    span,
  });
  const sort: readonly Ast.Operator[] = keys.length === 0 ? [] : [{ kind: 'sort', keys, span }];
  return {
    kind: 'aggregation',
    origins,
    totals: program([summarize(by), ...sort, ...(groups.length > 0 ? ownLimit : [])]),
    isLimited: limit > 0,
    series: program([
      summarize([bucket, ...by]),
      ...(groups.length > 0 && keys.length === 0 ? [take(limit > 0 ? limit : frame.defaultLimit)] : []),
    ]),
    groups,
    aggregates,
  };
}

/** Each group, once, and the member that names it first. */
function membersOf(groupBy: readonly string[]): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  for (const [i, name] of groupBy.entries()) if (!members.has(name)) members.set(name, `groupBy[${i}]`);
  return members;
}

const namedExpr = (name: string, value: Ast.Expr, span: Ast.Span): Ast.NamedExpr => ({
  name: nameOf(name, span),
  value,
  span,
});

function virtualFields({ virtualFields = [] }: StructuredBody, origins: BodyOrigins): readonly Ast.Operator[] {
  const { max } = requestBounds.structuredExpressions;
  if (virtualFields.reduce((sum, { expr }) => sum + expr.length, 0) > max)
    throw memberError('virtualFields', `must have at most ${max} characters together; ask in APL`);
  return virtualFields.map(({ alias, expr: text }, i) => {
    if (alias === '') throw memberError(`virtualFields[${i}].alias`, 'is required');
    const span = origins.of(`virtualFields[${i}].expr`, text);
    const { expr, diagnostics } = parseExpression(text);
    if (diagnostics.some(({ severity }) => severity === 'error'))
      throw structureError(origins, shiftTree(diagnostics, span.start));
    return { kind: 'extend', valid: false, columns: [namedExpr(alias, shiftTree(expr, span.start), span)], span };
  });
}

function filter(body: StructuredBody, origins: BodyOrigins): readonly Ast.Operator[] {
  const predicate = filterExpr(body.filter, origins);
  return predicate === undefined ? [] : [{ kind: 'where', predicate, span: predicate.span }];
}

function eventOperators(body: StructuredBody, origins: BodyOrigins): readonly Ast.Operator[] {
  const { order = [], project = [] } = body;
  const span = origins.of('order');
  const keys = order.map(({ field, desc = false }, i): Ast.SortKey => {
    const value = fieldExpr(field, origins.of(`order[${i}].field`));
    return { value, direction: desc ? 'desc' : 'asc' };
  });
  return [
    ...(keys.length === 0 ? [] : [{ kind: 'sort', keys, span } as const]),
    ...(project.length === 0 ? [] : [projection(project, origins)]),
  ];
}

function projection(project: NonNullable<StructuredBody['project']>, origins: BodyOrigins): Ast.Operator {
  const span = origins.of('project');
  const names = new Set<string>();
  const columns = project.map(({ field, alias = '' }, i) => {
    const name = alias === '' ? field : alias;
    if (names.size === names.add(name).size)
      throw memberError(
        `project[${i}].${alias === '' ? 'field' : 'alias'}`,
        `'${name}' is there before; leave one out, or give it another alias`,
      );
    const at = origins.of(`project[${i}].field`);
    return namedExpr(name, fieldExpr(field, at), at);
  });
  return { kind: 'project', columns, span };
}

/** Sort key of groups; an order by time is ignored. */
function groupOrder(
  { order = [] }: StructuredBody,
  groups: readonly string[],
  aggregates: readonly Aggregate[],
  origins: BodyOrigins,
): readonly Ast.SortKey[] {
  const known = new Set(groups);
  const columns = new Map(aggregates.map(({ label, column }) => [label, column] as const).toReversed());
  return order.flatMap(({ field, desc = false }, i): readonly Ast.SortKey[] => {
    if (field === '_time') return [];
    const member = `order[${i}].field`;
    const span = origins.of(member);
    const column = known.has(field) ? field : (columns.get(field) ?? columns.get(field.toUpperCase()));
    if (column === undefined)
      throw memberError(member, `'${field}' is neither a group nor an aggregation; name one of those or leave it out`);
    return [{ value: { kind: 'name', name: nameOf(column, span), span }, direction: desc ? 'desc' : 'asc' }];
  });
}

const maxBuckets = BigInt(requestBounds.buckets.max);

function bucketExpr(size: bigint | 'auto', { range }: Frame, origins: BodyOrigins): Ast.Expr {
  const span = origins.of('resolution');
  const time = fieldExpr('_time', span);
  if (size === 'auto') return callExpr('bin_auto', [time], span);
  if (range !== undefined && (range.end - range.start) / size > maxBuckets) {
    const min = (range.end - range.start) / maxBuckets / 1_000_000_000n + 1n;
    throw memberError('resolution', `would make more than ${maxBuckets} buckets; use at least ${min}s, or auto`);
  }
  return callExpr('bin', [time, timespan(size, span)], span);
}

/** The longest time that 64 bits of nanoseconds hold. */
const longest = 2n ** 63n - 1n;

/**
 * Width of the buckets in nanoseconds. Clients that have none in mind send nothing, an empty text
 * or zero.
 */
function resolutionOf(given: unknown): bigint | 'auto' {
  if (given === undefined || given === null || given === '' || given === 'auto') return 'auto';
  const isSeconds = typeof given === 'number' || (typeof given === 'string' && /^\d+(\.\d+)?$/.test(given));
  const size = isSeconds ? parseDuration(`${given}s`) : typeof given === 'string' ? parseDuration(given) : undefined;
  if (size === undefined) throw memberError('resolution', "must be auto, a duration as in '1m30s', or seconds");
  if (isBelowNanosecond(String(given))) throw memberError('resolution', 'must be at least 1ns');
  if (size > longest) throw memberError('resolution', 'must be at most 106751d');
  return size === 0n ? 'auto' : size;
}
