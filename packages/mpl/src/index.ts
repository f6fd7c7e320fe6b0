export { compile } from './compile.js';
export {
  alignFunctions,
  bucketFunctions,
  computeFunctions,
  type FunctionRecord,
  groupFunctions,
  mapFunctions,
} from './model/functions.js';
export type { Diagnostic } from './model/diagnostics.js';
export { BoundExceeded, metricsBounds } from './model/bounds.js';
export { bytesOf, unlimitedWork, Work, WorkExceeded, type WorkLimits } from './model/work.js';
export { endsOf, staleBits } from './model/stale.js';
export type { LabelFilter, Plan, TagFilter } from './plan/plan.js';
export {
  latestStatement,
  anyPointsStatement,
  pointsStatement,
  type Selection,
  seriesStatement,
} from './plan/statements.js';
export { windowStatement } from './plan/window-statement.js';
export type { WindowFunction, Windows } from './plan/window-functions.js';
export { findStatement, metricsStatement, tagNamesStatement, tagValuesStatement } from './plan/discovery.js';
export { jsonOfTag, readTag, readTags, shownTag } from './tags.js';
export { ComputeProblem } from './run/compute.js';
export { ExtendProblem } from './run/extend.js';
export { run } from './run/run.js';
export type { FetchNode, ReadRequest, RunOptions } from './run/run.js';
export { checkCells, isDelta, timesOf } from './run/series.js';
export type { Frame, Grid, Series, Steps } from './run/series.js';
