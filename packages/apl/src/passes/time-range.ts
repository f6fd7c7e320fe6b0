import type { Plan, ScanPlan, TimeRange, UnionPlan } from '../plan/nodes.js';
import { mapInnerPlans, mapInputs, scalarsOf } from '../plan/rewrite.js';
import { looksAround } from '../plan/scalar.js';
import type { ColumnId, Scalar } from '../plan/scalar.js';
import { MAX_LONG, MIN_LONG } from '../model/int64.js';

/** The ends a query itself sets for a time column. */
interface Bounds {
  readonly start?: bigint;
  readonly end?: bigint;
}

interface RequestRange extends TimeRange {
  readonly given: { readonly start: boolean; readonly end: boolean };
}

interface NarrowedPlan {
  readonly plan: Plan;
  /** The range that all scans cover together; the request's range if there are none. */
  readonly range: TimeRange;
  /** The query has a start, and neither it nor the request has an end. */
  readonly implicitEnd: boolean;
}

/**
 * Narrows the time range of each scan to the request's range and the query's conditions on the
 * scan's own time. A default end of the request gives way to the query's. The range prunes
 * partitions and granules; conditions that it already guarantees for every row are removed.
 * @param impliedEnd the end of a range that has a start in the query and no end
 */
export function narrowTimeRange(plan: Plan, request: RequestRange, impliedEnd: bigint): NarrowedPlan {
  const ranges: TimeRange[] = [];
  let implicitEnd = false;

  const boundScan = (scan: ScanPlan, bounds: Bounds): Plan => {
    const { given } = request;
    const start =
      bounds.start === undefined ? request.start : given.start ? max(bounds.start, request.start) : bounds.start;
    const isImplicit = bounds.start !== undefined && bounds.end === undefined && !given.end;
    if (isImplicit) implicitEnd = true;
    const requested = isImplicit ? min(request.end, impliedEnd) : request.end;
    const end = bounds.end === undefined ? requested : given.end ? min(bounds.end, requested) : bounds.end;
    const range = { start, end };
    ranges.push(range);
    return { ...scan, range };
  };

  const walk = (outer: Plan, requested: ReadonlyMap<ColumnId, Bounds>): Plan => {
    const node = mapInnerPlans(outer, (inner) => walk(inner, new Map()));
    // An expression over other rows also sees rows that the query leaves out here and later.
    const isClosed = seesOtherRows(node);
    const known: ReadonlyMap<ColumnId, Bounds> = isClosed ? new Map() : requested;
    switch (node.kind) {
      case 'scan':
        return boundScan(node, (node.schema.rowId && known.get(node.schema.rowId.time)) ?? {});
      case 'filter': {
        if (isClosed) return { ...node, input: walk(node.input, known) };
        const input = walk(node.input, withConditions(known, node.predicate));
        const predicate = without(node.predicate, timeBelow(input));
        return predicate === undefined ? input : { ...node, input, predicate };
      }
      case 'union':
        return { ...node, inputs: node.inputs.map((input, i) => walk(input, throughUnion(known, node, i))) };
      case 'limit':
      case 'aggregate':
      case 'topSeries':
        // Conditions after these apply to fewer rows than are read here.
        return mapInputs(node, (input) => walk(input, new Map()));
      case 'rows':
      case 'external':
      case 'project':
      case 'sort':
      case 'sample':
      case 'expand':
        return mapInputs(node, (input) => walk(input, known));
      case 'join': {
        // `innerunique` keeps the first of several matches, and with fewer rows another one might
        // be the first.
        const right = node.join === 'innerunique' ? new Map() : known;
        return { ...node, left: walk(node.left, known), right: walk(node.right, right) };
      }
    }
  };

  const narrowed = walk(plan, new Map());
  const [first, ...rest] = ranges;
  const range = rest.reduce(
    (hull, next) => ({ start: min(hull.start, next.start), end: max(hull.end, next.end) }),
    first ?? { start: request.start, end: request.end },
  );
  return { plan: narrowed, range, implicitEnd };
}

/** Whether expressions of a node read other rows of its input. */
const seesOtherRows = (node: Plan): boolean => scalarsOf(node).some(looksAround);

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

function withConditions(known: ReadonlyMap<ColumnId, Bounds>, predicate: Scalar): ReadonlyMap<ColumnId, Bounds> {
  const bounds = new Map(known);
  const add = (scalar: Scalar): void => {
    if (scalar.kind !== 'call') return;
    if (scalar.name === 'and') {
      scalar.args.forEach(add);
      return;
    }
    const condition = conditionOf(scalar.name, scalar.args);
    if (condition === undefined) return;
    bounds.set(condition.id, intersectBounds(bounds.get(condition.id), condition));
  };
  add(predicate);
  return bounds;
}

/** The narrower of two ranges at each end. */
function intersectBounds(a: Bounds | undefined, b: Bounds): Bounds {
  const start = a?.start === undefined ? b.start : b.start === undefined ? a.start : max(a.start, b.start);
  const end = a?.end === undefined ? b.end : b.end === undefined ? a.end : min(a.end, b.end);
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}

const mirroredOperators: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==' };

/**
 * `column op constant` in either order, as inclusive bounds, cut to 64 bits: no event has their
 * first or last nanosecond, and none lies beyond.
 */
function conditionOf(name: string, [left, right]: readonly Scalar[]): ({ readonly id: ColumnId } & Bounds) | undefined {
  if (left === undefined || right === undefined || mirroredOperators[name] === undefined) return undefined;
  if (left.kind === 'constant' && right.kind !== 'constant') return conditionOf(mirroredOperators[name], [right, left]);
  if (left.kind !== 'column' || left.type !== 'datetime') return undefined;
  if (right.kind !== 'constant' || right.type !== 'datetime' || typeof right.value !== 'bigint') return undefined;
  const { value } = right;
  const { id } = left;
  switch (name) {
    case '>':
      return { id, start: min(value + 1n, MAX_LONG) };
    case '>=':
      return { id, start: value };
    case '<':
      return { id, end: max(value - 1n, MIN_LONG) };
    case '<=':
      return { id, end: value };
    default:
      return { id, start: value, end: value };
  }
}

/** The time column of the scan below, if these are its rows, each at most once. */
function timeBelow(plan: Plan): ColumnId | undefined {
  switch (plan.kind) {
    case 'scan':
      return plan.schema.rowId?.time;
    case 'filter':
    case 'sort':
    case 'project':
      return seesOtherRows(plan) ? undefined : timeBelow(plan.input);
    default:
      return undefined;
  }
}

/**
 * A predicate without the conditions on a column that became its scan's range; undefined if nothing
 * is left.
 */
function without(predicate: Scalar, time: ColumnId | undefined): Scalar | undefined {
  if (predicate.kind !== 'call') return predicate;
  if (predicate.name !== 'and')
    return time !== undefined && conditionOf(predicate.name, predicate.args)?.id === time ? undefined : predicate;
  const args = predicate.args.flatMap((arg) => without(arg, time) ?? []);
  return args.length > 1 ? { ...predicate, args } : args[0];
}

/** The bounds known for a union's columns, translated to the columns of one of its inputs. */
function throughUnion(
  known: ReadonlyMap<ColumnId, Bounds>,
  union: UnionPlan,
  input: number,
): ReadonlyMap<ColumnId, Bounds> {
  const inner = new Map<ColumnId, Bounds>();
  for (const { id, from } of union.columns) {
    const bounds = known.get(id);
    const source = from[input];
    if (bounds === undefined || source?.kind !== 'column') continue;
    // Several columns of the union may come from the same column of the input.
    inner.set(source.id, intersectBounds(inner.get(source.id), bounds));
  }
  return inner;
}
