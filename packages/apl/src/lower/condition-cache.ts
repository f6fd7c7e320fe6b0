/**
 * The engine remembers which granules hold no row that a condition keeps, and skips them the next time. It may remember wrongly: if one side of a semi or anti
 * join is empty, it gives up the other side, and takes what it has not read for rows that were not kept. Every later query with the same condition would miss
 * those events, as if they were gone. Joins are not the only queries after which that was seen, so all leave the cache alone.
 */
export const conditionCacheSettings = { use_query_condition_cache: 0 } as const;
