import { createHash } from 'node:crypto';
import { quoteIdentifier } from '@millrace/sql';

/** One in so many granules is read in vain. Rarer would be more bytes: a value takes ten bits. */
const falsePositives = 0.01;

/**
 * Name of the index of a column whose values identify something. Names of fields may have any characters and any length, which files named
 * for an index may not; what is hashed always may.
 */
export const identityIndexName = (column: string): string =>
  `identity_${createHash('sha256').update(column).digest('hex').slice(0, 16)}`;

/** The index as it stands in a statement: a filter for each granule of rows that tells which values are not among them. */
export const identityIndex = (column: string): string =>
  `${quoteIdentifier(identityIndexName(column))} ${quoteIdentifier(column)} ` +
  `TYPE bloom_filter(${falsePositives}) GRANULARITY 1`;
