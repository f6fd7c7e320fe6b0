import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CUT_AT, textOf } from './cells.js';
import { cellsOf, elementsOf, splitAnswer } from './split-result.js';

const none = (): void => {};

/** Format of the server. */
const answer = (fields: readonly { name: string; type: string }[], columns: readonly string[], meta = {}): string =>
  `{"format":"tabular","status":{"rowsMatched":2},"datasetNames":["x"],"fieldsMetaMap":${JSON.stringify(meta)},"tables":[{"name":"0","sources":[{"name":"x"}],"fields":${JSON.stringify(fields)},"order":[],"groups":[],"range":{"field":"_time","start":"a","end":"b"},"columns":[${columns.join(',')}]},{"name":"_totals","sources":[{"name":"x"}],"fields":[],"order":[],"groups":[],"range":{"field":"_time","start":"a","end":"b"},"columns":[]}]}`;

describe('a result', () => {
  it('splits correctly whatever its strings contain', () => {
    const evil = JSON.stringify(['"columns":[', '"tables":[{"name":"0","sources":', '\\"]}', ']']);
    const { head, tables } = splitAnswer(answer([{ name: 'a', type: 'string' }], [evil], { tables: [], columns: [] }));
    expect(head).toMatchObject({ status: { rowsMatched: 2 }, fieldsMetaMap: { tables: [] } });
    expect(tables.map((table) => table.head.name)).toEqual(['0', '_totals']);
    expect(cellsOf(tables[0]!.columns[0]!, 'string', none)).toEqual(JSON.parse(evil));
  });

  it('round-trips any values', () =>
    fc.assert(
      fc.property(fc.array(fc.array(fc.jsonValue(), { maxLength: 5 }), { maxLength: 4 }), (columns) => {
        const text = answer(
          columns.map((_, index) => ({ name: `c${index}`, type: 'unknown' })),
          columns.map((column) => `[${column.map((each) => JSON.stringify(each)).join(', ')}]`),
        );
        const { tables } = splitAnswer(text);
        expect(tables[0]!.columns.map((column) => elementsOf(column).map((each) => JSON.parse(each)))).toEqual(
          JSON.parse(JSON.stringify(columns)),
        );
      }),
    ));

  it('truncated anywhere is rejected', () => {
    const whole = answer([{ name: 'a', type: 'unknown' }], ['[1, "two", [3, {"four": "]"}]]']);
    for (let length = 1; length < whole.length; length++)
      expect(() => splitAnswer(whole.slice(0, length))).toThrow(SyntaxError);
  });
});

describe('values', () => {
  it.each([
    [
      'integer',
      '[1, null, -9223372036854775808, 9007199254740991]',
      [1, null, -9223372036854775808n, 9007199254740991],
    ],
    ['integer|string', '["9223372036854775807", 9223372036854775807]', ['9223372036854775807', 9223372036854775807n]],
    ['float', '[1.5, 1e300, null]', [1.5, 1e300, null]],
    ['datetime', '["2026-01-01T00:00:00.123456789Z"]', ['2026-01-01T00:00:00.123456789Z']],
    ['map', '[{"a": 12345678901234567890}, null]', [{ kind: 'json', text: '{"a": 12345678901234567890}' }, null]],
    ['string', '["", null, "null"]', ['', null, 'null']],
  ])('%s %s', (type, json, cells) => expect(cellsOf(json, type, none)).toEqual(cells));

  it('truncates a long one and keeps the whole elsewhere', () => {
    const kept = new Map<number, string>();
    const long = `${'a'.repeat(CUT_AT - 1)}😀 and more`;
    const [short, cut] = cellsOf(JSON.stringify(['b', long]), 'string', (row, whole) => kept.set(row, whole));
    expect(short).toBe('b');
    expect(cut).toMatchObject({ kind: 'long', length: long.length, isJson: false });
    // Not half of the emoji.
    expect(textOf(cut!)).toBe('a'.repeat(CUT_AT - 1));
    expect(kept).toEqual(new Map([[1, long]]));
  });
});
