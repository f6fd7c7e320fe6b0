import { createHash } from 'node:crypto';
import { quoteIdentifier } from '@millrace/sql';

/**
 * Share of the granules that are read needlessly. A smaller one would take more space: at this one
 * a value takes ten bits.
 */
const falsePositives = 0.01;

/**
 * Name of the index of an identifier column. It is a hash because field names may have any
 * characters and any length, which the names of an index's files may not.
 */
export const identityIndexName = (column: string): string =>
  `identity_${createHash('sha256').update(column).digest('hex').slice(0, 16)}`;

/**
 * The index as written in a statement: a filter for each granule of rows that excludes absent
 * values.
 */
export const identityIndex = (column: string): string =>
  `${quoteIdentifier(identityIndexName(column))} ${quoteIdentifier(column)} ` +
  `TYPE bloom_filter(${falsePositives}) GRANULARITY 1`;
