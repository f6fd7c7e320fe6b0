import { createHash } from 'node:crypto';
import { quoteIdentifier } from '@millrace/sql';

/**
 * Share of the granules that are read in vain. A smaller one would take more room: at this one a
 * value takes ten bits.
 */
const falsePositives = 0.01;

/**
 * Name of the index of a column whose values identify something. It is a hash because names of
 * fields may have any characters and any length, which the names of an index's files may not.
 */
export const identityIndexName = (column: string): string =>
  `identity_${createHash('sha256').update(column).digest('hex').slice(0, 16)}`;

/**
 * The index as written in a statement: a filter for each granule of rows that tells which values
 * are not in it.
 */
export const identityIndex = (column: string): string =>
  `${quoteIdentifier(identityIndexName(column))} ${quoteIdentifier(column)} ` +
  `TYPE bloom_filter(${falsePositives}) GRANULARITY 1`;
