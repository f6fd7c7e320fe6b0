import type { Plan } from '../plan/nodes.js';
import type { Operator } from '../syntax/ast.js';
import type { BindOperator, OperatorContext, OperatorKind } from './define.js';
import { bindAs } from './as.js';
import { bindGetSchema } from './getschema.js';
import { bindEvaluate } from './evaluate/index.js';
import { bindMakeSeries } from './make-series.js';
import { bindMvApply } from './mv-apply.js';
import { bindMvExpand } from './mv-expand.js';
import { bindFacet, bindFork } from './fork.js';
import { bindFind } from './find.js';
import { bindInvoke } from './invoke.js';
import { bindParse } from './parse.js';
import { bindParseKv } from './parse-kv.js';
import { bindPartition } from './partition.js';
import { bindRedact } from './redact.js';
import { bindReduce } from './reduce.js';
import { bindRender } from './render.js';
import { bindSample } from './sample.js';
import { bindSampleDistinct } from './sample-distinct.js';
import { bindSerialize } from './serialize.js';
import { bindJoin, bindLookup } from './join.js';
import { bindProjectAway, bindProjectKeep, bindProjectRename, bindProjectReorder } from './project-columns.js';
import { bindCount } from './count.js';
import { bindDistinct } from './distinct.js';
import { bindExtend } from './extend.js';
import { bindProject } from './project.js';
import { bindSearch } from './search.js';
import { bindSort } from './sort.js';
import { bindSummarize } from './summarize.js';
import { bindTake } from './take.js';
import { bindTop } from './top.js';
import { bindTopNested } from './top-nested.js';
import { bindUnion } from './union.js';
import { bindWhere } from './where.js';

/** How each operator is bound. Every operator is a file of this folder, listed in this table. */
const operators: { readonly [K in Exclude<OperatorKind, 'error'>]: BindOperator<K> } = {
  where: bindWhere,
  extend: bindExtend,
  project: bindProject,
  summarize: bindSummarize,
  count: bindCount,
  distinct: bindDistinct,
  take: bindTake,
  sort: bindSort,
  top: bindTop,
  'project-away': bindProjectAway,
  'project-keep': bindProjectKeep,
  'project-rename': bindProjectRename,
  'project-reorder': bindProjectReorder,
  as: bindAs,
  evaluate: bindEvaluate,
  facet: bindFacet,
  find: bindFind,
  fork: bindFork,
  getschema: bindGetSchema,
  partition: bindPartition,
  invoke: bindInvoke,
  'make-series': bindMakeSeries,
  'mv-expand': bindMvExpand,
  'mv-apply': bindMvApply,
  parse: bindParse,
  'parse-kv': bindParseKv,
  redact: bindRedact,
  render: bindRender,
  reduce: bindReduce,
  'top-nested': bindTopNested,
  sample: bindSample,
  'sample-distinct': bindSampleDistinct,
  serialize: bindSerialize,
  join: bindJoin,
  lookup: bindLookup,
  union: bindUnion,
  search: bindSearch,
};

/** Binds one operator over its input; one that could not be parsed does nothing. */
export function bindOperator(operator: Operator, input: Plan, context: OperatorContext): Plan {
  if (operator.kind === 'error') return input;
  // The table gives each kind its own function, which the type of a lookup cannot say.
  const bind = operators[operator.kind] as BindOperator<OperatorKind>;
  return bind(operator, input, context);
}
