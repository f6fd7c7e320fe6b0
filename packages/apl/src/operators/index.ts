import type { Plan } from '../plan/nodes.js';
import type { Operator } from '../syntax/ast.js';
import type { OperatorContext, OperatorKind, OperatorRecord } from './define.js';
import { bindAs } from './tables/as.js';
import { bindGetSchema } from './getschema.js';
import { bindEvaluate } from './evaluate/index.js';
import { bindMakeSeries } from './grouping/make-series.js';
import { bindMvApply } from './mv-apply.js';
import { bindMvExpand } from './mv-expand.js';
import { bindFacet, bindFork } from './tables/fork.js';
import { bindFind } from './tables/find.js';
import { bindInvoke } from './tables/invoke.js';
import { bindParse } from './parse/parse.js';
import { bindParseKv } from './parse/parse-kv.js';
import { bindPartition } from './tables/partition.js';
import { bindRedact } from './redact/redact.js';
import { bindReduce } from './grouping/reduce.js';
import { bindRender } from './render.js';
import { bindSample } from './sample.js';
import { bindSampleDistinct } from './sample-distinct.js';
import { bindSerialize } from './serialize.js';
import { bindJoin, bindLookup } from './tables/join.js';
import { bindProjectAway, bindProjectKeep, bindProjectRename, bindProjectReorder } from './project-columns.js';
import { bindCount } from './grouping/count.js';
import { bindDistinct } from './grouping/distinct.js';
import { bindExtend } from './extend.js';
import { bindProject } from './project.js';
import { bindScan } from './scan/scan.js';
import { bindSearch } from './search.js';
import { bindSort } from './sort.js';
import { bindSummarize } from './grouping/summarize.js';
import { bindTake } from './take.js';
import { bindTop } from './top.js';
import { bindTopHitters } from './grouping/top-hitters.js';
import { bindTopNested } from './grouping/top-nested.js';
import { bindUnion } from './tables/union.js';
import { bindWhere } from './where.js';

/** How each operator is bound. Every operator is a file of this folder, listed in this table. */
const operators: { readonly [K in Exclude<OperatorKind, 'error'>]: OperatorRecord<K> } = {
  where: { bind: bindWhere, eachRow: true },
  extend: { bind: bindExtend, eachRow: true },
  project: { bind: bindProject, eachRow: true },
  summarize: { bind: bindSummarize, settlesOrder: true },
  count: { bind: bindCount, settlesOrder: true },
  distinct: { bind: bindDistinct, settlesOrder: true },
  take: { bind: bindTake },
  sort: { bind: bindSort, settlesOrder: true },
  top: { bind: bindTop, settlesOrder: true },
  'project-away': { bind: bindProjectAway, eachRow: true },
  'project-keep': { bind: bindProjectKeep, eachRow: true },
  'project-rename': { bind: bindProjectRename, eachRow: true },
  'project-reorder': { bind: bindProjectReorder, eachRow: true },
  as: { bind: bindAs },
  evaluate: { bind: bindEvaluate },
  facet: { bind: bindFacet },
  find: { bind: bindFind },
  fork: { bind: bindFork },
  getschema: { bind: bindGetSchema, settlesOrder: true },
  partition: { bind: bindPartition },
  invoke: { bind: bindInvoke },
  'make-series': { bind: bindMakeSeries, readsEventTimes: true, settlesOrder: true },
  'mv-expand': { bind: bindMvExpand },
  'mv-apply': { bind: bindMvApply },
  parse: { bind: bindParse, eachRow: true },
  'parse-kv': { bind: bindParseKv, eachRow: true },
  redact: { bind: bindRedact, eachRow: true },
  render: { bind: bindRender },
  reduce: { bind: bindReduce },
  'top-hitters': { bind: bindTopHitters, settlesOrder: true },
  'top-nested': { bind: bindTopNested, settlesOrder: true },
  sample: { bind: bindSample },
  'sample-distinct': { bind: bindSampleDistinct },
  serialize: { bind: bindSerialize },
  join: { bind: bindJoin },
  lookup: { bind: bindLookup },
  union: { bind: bindUnion },
  scan: { bind: bindScan },
  search: { bind: bindSearch, eachRow: true },
};

/** Binds one operator over its input; one that could not be parsed does nothing. */
export function bindOperator(operator: Operator, input: Plan, context: OperatorContext): Plan {
  if (operator.kind === 'error') return input;
  // The table gives each kind its own function, which the type of a lookup cannot say.
  const { bind, readsEventTimes } = operators[operator.kind] as OperatorRecord<OperatorKind>;
  if (readsEventTimes === true) context.query.needs.add('event-times');
  return bind(operator, input, context);
}

/** Whether an operator makes one row or none of each row, independently of other rows. */
export const looksAtEachRow = (kind: OperatorKind): boolean => kind !== 'error' && operators[kind].eachRow === true;

/** The operators that do. */
export const eachRowOperators: readonly OperatorKind[] = Object.keys(operators)
  .map((kind) => kind as OperatorKind)
  .filter(looksAtEachRow);

/** Whether the rows of an operator have their own order, or are not events. */
export const settlesOrder = (kind: OperatorKind): boolean => kind !== 'error' && operators[kind].settlesOrder === true;
