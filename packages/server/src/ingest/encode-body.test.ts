import { gzipSync } from 'node:zlib';
import { ColumnBudget, DEFAULT_LIMITS } from '@millrace/events';
import { expect, test } from 'vitest';
import { type BodyOptions, encodeBody } from './encode-body.js';

const read = (body: string | Uint8Array, changes: Partial<BodyOptions>) =>
  encodeBody(
    typeof body === 'string' ? Buffer.from(body) : body,
    {
      dataset: 1,
      contentType: 'text/csv',
      mapFields: new Set(),
      arrival: 1_790_000_000_000_000_000n,
      limits: { ...DEFAULT_LIMITS, maxDecompressedBytes: 1 << 20 },
      ...changes,
    },
    new ColumnBudget(),
  );

test('memory of what was decoded is given back', () => {
  const body = gzipSync(`{"a":1}${' '.repeat(900_000)}`);
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 20; i++) read(body, { contentType: 'application/json', contentEncoding: 'gzip' });
  expect(process.memoryUsage().arrayBuffers).toBeLessThan(before + (2 << 20));
});

/** As Node gives the bytes of a header. */
const header = (text: string): string => Buffer.from(text).toString('latin1');

test('headers are UTF-8', () => {
  const { encoded } = read('x\n', { csvFields: header('größe'), labels: header('{"läufer":"ü"}') });
  expect(encoded.uses.map(({ field }) => field).toSorted()).toEqual(['größe', 'läufer']);
});

test.each([
  ['a,"b', {}, /^CSV header, line 1: the quoted value in cell 2 is never closed/],
  ['1,2', { csvFields: ' , ' }, /^CSV field names, line 1: expected column names/],
  ['1,2', { csvFields: '"x' }, /^CSV field names, line 1: the quoted value/],
  [Buffer.from('\ufeffa', 'utf16le'), {}, /^CSV header, byte 0: expected UTF-8, found .* UTF-16$/],
  ['a', { csvDelimiter: '"' }, /^csv-delimiter: /],
  ['a', { labels: '[]' }, /^X-Axiom-Event-Labels: .* expected an object/],
  ['a', { timestampFormat: 'YYYY' }, /^timestamp-format: /],
] as const)('%j with %j is wrong as a whole, and it is said which part', (body, changes, message) => {
  expect(() => read(body, changes)).toThrow(message);
});
