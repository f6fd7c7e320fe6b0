import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ColumnForm, formColumn, splitValues } from './columns.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (column: Uint8Array): string => new TextDecoder().decode(column);
const form = (column: string, as: ColumnForm): string => text(formColumn(bytes(column), as));

describe('formColumn', () => {
  it('leaves plain columns alone', () => expect(form('[1, "a\\nZ00", null]', 'plain')).toBe('[1, "a\\nZ00", null]'));

  it.each([
    ['["{\\"a\\":[1,2]}", null, "\\"x\\""]', '[{"a":[1,2]}, null, "x"]'],
    ['["\\"a\\\\\\"b\\""]', '["a\\"b"]'],
    ['["\\"\\u00e9\\""]', '["é"]'],
    ['["\\"\\ud83d\\ude00\\""]', '["😀"]'],
  ])('puts JSON in raw: %s', (column, want) => expect(form(column, 'json')).toBe(want));

  it('puts any JSON value in raw', () =>
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const column = JSON.stringify(values.map((value) => JSON.stringify(value)));
        expect(JSON.parse(form(column, 'json'))).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    ));
});

describe('splitValues', () => {
  it('finds every value of a column', () =>
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const found = splitValues(bytes(JSON.stringify(values))).map((value) => JSON.parse(text(value)));
        expect(found).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    ));
});
