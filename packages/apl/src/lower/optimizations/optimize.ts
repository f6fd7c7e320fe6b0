import type { Plan } from '../../plan/nodes.js';
import { innerPlansOf, inputsOf } from '../../plan/rewrite.js';
import { partsOf } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';

/** Settings that speed up a plan without changing its result. */
export const speedSettings = (plan: Plan): Readonly<Record<string, number>> => {
  const isRead = !mayFollowFromParts(plan);
  const isPage = plan.schema.rowId !== undefined;
  return {
    ...(isPage && eventSettings),
    ...(isRead && readingSettings),
    ...(isRead && !isPage && blockSettings),
    ...(isRead && indexSettings([plan])),
  };
};

/**
 * For results that are events. The index of each part tells where its next rows are in time order,
 * so later parts are not read: most results end in the newest one or two.
 */
const eventSettings = { read_in_order_use_virtual_row: 1, read_in_order_use_virtual_row_per_block: 1 } as const;

/** For results that need rows to be read: the engine takes most of a millisecond to detect that. */
const readingSettings = { optimize_use_implicit_projections: 0 } as const;

/**
 * For results made of many rows. By default the engine reads so few rows of wide columns at a time
 * (a megabyte) that its cost per block matters: a search in sixteen fields takes a quarter less
 * time with eight megabytes. A page ends before it has read that much.
 */
export const blockSettings = { preferred_block_size_bytes: 8 * 1024 * 1024 } as const;

/**
 * To choose granules by the order and by indexes, the engine gives each part to a thread as a
 * separate task. By the order alone, choosing takes less time than handing over, which costs twelve
 * of the sixteen milliseconds a plan takes over a year of daily partitions. The bloom filters of
 * identifying fields, which only conditions on texts use, are worth the threads.
 */
export const indexSettings = (plans: readonly Plan[]): Readonly<Record<string, number>> =>
  plans.some(filtersTexts) ? {} : { max_threads_for_indexes: 1 };

const filtersTexts = (plan: Plan): boolean =>
  (plan.kind === 'filter' && readsText(plan.predicate)) ||
  [...inputsOf(plan), ...innerPlansOf(plan)].some(filtersTexts);

const readsText = (scalar: Scalar): boolean =>
  (scalar.kind === 'column' && scalar.type === 'string') || partsOf(scalar).some(readsText);

/**
 * Whether the result may follow from the metadata of parts without reading them: row count, oldest
 * and newest time.
 */
const mayFollowFromParts = (plan: Plan): boolean =>
  plan.kind === 'scan'
    ? [...plan.columns.values()].every((sql) => sql.kind === 'column' && knownOfParts.has(sql.name))
    : (plan.kind !== 'aggregate' || plan.groups.length === 0) && inputsOf(plan).every(mayFollowFromParts);

const knownOfParts: ReadonlySet<string> = new Set(['_time', '_sysTime']);
