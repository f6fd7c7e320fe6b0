/** Functions for editors; none runs queries. The entry `@millrace/mpl/editor`. */
export { complete } from './complete.js';
export { diagnose } from './diagnose.js';
export type { MplFinding } from './diagnose.js';
export {
  alignmentOf,
  bucketOf,
  groupingOf,
  withAlignment,
  withBucket,
  withCondition,
  withGrouping,
  withoutCondition,
  withoutStep,
} from './edits.js';
export { format } from './format.js';
export type { FormattedMpl } from './format.js';
export { hover } from './hover.js';
export { nothingKnown } from './known-metrics.js';
export type { KnownMetrics } from './known-metrics.js';
export { outline } from './outline.js';
export type { MplOutline } from './outline.js';
export { asPromql } from './promql.js';
export { tokensOf, valuePlaceAt } from './place.js';
export { conditionText, nameText, valueText } from './write.js';
export type { FilterOperator } from './write.js';
export { alignFunctions, groupFunctions } from '../model/functions.js';
