import { describe, expect, it } from 'vitest';
import { columnFor, storedAs, standardColumn } from './new-column.js';

const nullable = (type: string): string => `Nullable(${type})`;
const dictionary = `LowCardinality(${nullable('String')})`;

describe('a column is stored as suits its values', () => {
  it.each([
    ['string', { repeat: true }, dictionary, 'Default'],
    ['string', { repeat: true, sparse: true }, dictionary, 'ZSTD(1)'],
    ['string', { short: true }, nullable('String'), 'Default'],
    ['string', { short: true, sparse: true }, nullable('String'), 'ZSTD(1)'],
    ['string', {}, nullable('String'), 'ZSTD(1)'],
    ['array', { repeat: true }, nullable('String'), 'ZSTD(1)'],
    ['map', { short: true }, nullable('String'), 'Default'],
    ['integer', {}, nullable('Int64'), 'T64'],
    ['integer', { sparse: true }, nullable('Int64'), 'T64, ZSTD(1)'],
    ['datetime', { repeat: true, short: true }, nullable("DateTime64(9,'UTC')"), 'T64'],
    ['float', {}, nullable('Float64'), 'Default'],
    ['boolean', { sparse: true }, nullable('Bool'), 'ZSTD(1)'],
  ] as const)('%s: %o', (type, values, stored, codec) =>
    expect(
      storedAs(columnFor({ field: 'f', type }, { repeat: false, short: false, sparse: false, ...values })),
    ).toEqual({ type: stored, codec }),
  );

  it.each([
    ['string', dictionary, 'Default'],
    ['array', nullable('String'), 'ZSTD(1)'],
    ['integer', nullable('Int64'), 'T64'],
  ] as const)('unknown %s', (type, stored, codec) =>
    expect(storedAs(standardColumn({ field: 'f', type }))).toEqual({ type: stored, codec }),
  );
});
