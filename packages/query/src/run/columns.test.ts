import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '@millrace/events';
import {
  type ColumnForm,
  findValues,
  firstAndLast,
  formColumn,
  convertColumn,
  isNullAt,
  splitColumn,
  textAt,
} from './columns.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (column: Uint8Array): string => new TextDecoder().decode(column);
const form = (column: string, as: ColumnForm): string => {
  const formed = text(formColumn(bytes(column), as));
  // For steps of any size.
  for (const step of [1, 2, 7]) expect(text(atOnce(convertColumn(bytes(column), as, step)))).toBe(formed);
  return formed;
};

describe('formColumn', () => {
  it('leaves plain columns alone', () => expect(form('[1, "a\\nZ00", null]', 'plain')).toBe('[1, "a\\nZ00", null]'));

  it.each([
    ['["{\\"a\\":[1,2]}", null, "\\"x\\""]', '[{"a":[1,2]}, null, "x"]'],
    ['["\\"a\\\\\\"b\\""]', '["a\\"b"]'],
    ['["\\"\\u00e9\\""]', '["é"]'],
    ['["\\"\\ud83d\\ude00\\""]', '["😀"]'],
  ])('puts JSON in raw: %s', (column, want) => expect(form(column, 'json')).toBe(want));

  it.each([
    ['["2026-11-01T00:10:00.120000000Z"]', '["2026-11-01T00:10:00.12Z"]'],
    ['["2026-11-01T00:10:00.000000001Z", null]', '["2026-11-01T00:10:00.000000001Z", null]'],
    [
      '["1969-12-31T10:20:00.000000000Z","2026-11-01T00:10:00.500000000Z"]',
      '["1969-12-31T10:20:00Z","2026-11-01T00:10:00.5Z"]',
    ],
    ['["2026-11-01T00:10:00Z"]', '["2026-11-01T00:10:00Z"]'],
    ['[]', '[]'],
  ])('leaves out the zeros at the end of times: %s', (column, want) => expect(form(column, 'time')).toBe(want));

  it('puts any JSON value in raw', () =>
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const column = JSON.stringify(values.map((value) => JSON.stringify(value)));
        expect(JSON.parse(form(column, 'json'))).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    ));
});

describe('findingValues', () => {
  it.each([0, 1, 2])('finds every value of a column, laid out with %i spaces', (spaces) =>
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(1, 2, 5, undefined), (values, step) => {
        const column = `[${values.map((value) => JSON.stringify(value)).join(`,${' '.repeat(spaces)}`)}]`;
        const found = atOnce(findValues(bytes(column), values.length, step));
        expect(found.count).toBe(values.length);
        expect(values.map((_, i) => textAt(found, i))).toEqual(values.map((value) => JSON.stringify(value)));
        expect(values.map((_, i) => isNullAt(found, i))).toEqual(values.map((value) => value === null));
      }),
    ),
  );
});

describe('firstAndLast', () => {
  it.each([
    ['[]', []],
    ['["a"]', ['a', 'a']],
    ['["a","b"]', ['a', 'b']],
    ['["a", "b", "c"]', ['a', 'c']],
  ])('of %s', (column, want) => expect(firstAndLast(bytes(column))).toEqual(want));
});

describe('splittingColumn', () => {
  it.each([0, 1, 2])('gives two columns, laid out with %i spaces', (spaces) =>
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(), (values, n) => {
        const count = n % (values.length + 1);
        const column = `[${values.map((value) => JSON.stringify(value)).join(`,${' '.repeat(spaces)}`)}]`;
        const [first, others] = atOnce(splitColumn(bytes(column), count));
        const json = values.map((value) => JSON.stringify(value));
        expect(JSON.parse(text(first))).toEqual(JSON.parse(`[${json.slice(0, count).join(',')}]`));
        expect(JSON.parse(text(others))).toEqual(JSON.parse(`[${json.slice(count).join(',')}]`));
      }),
    ),
  );
});
