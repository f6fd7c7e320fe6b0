import { expect, it } from 'vitest';
import type { Cell } from '../../../data/results/cells.js';
import type { RowSource } from '../../../rows/row-source.js';
import { rowsAs } from './format-rows.js';

const cells: readonly (readonly Cell[])[] = [
  ['=1+1', -1, 9223372036854775807n],
  ['a "b", c', null, { kind: 'json', text: '{"x":1}' }],
];
const source: RowSource = {
  rows: 2,
  fields: [],
  typeOf: () => '',
  present: () => [],
  cell: (row, field) => cells[row]![Number(field)] ?? null,
  cursor: () => undefined,
  whole: () => Promise.resolve(''),
};

it.each([
  ['csv', `0,1,2\n'=1+1,-1,9223372036854775807\n"a ""b"", c",,"{""x"":1}"\n`],
  ['ndjson', '{"0":"=1+1","1":-1,"2":9223372036854775807}\n{"0":"a \\"b\\", c","2":{"x":1}}\n'],
  ['markdown', '| 0 | 1 | 2 |\n|---|---|---|\n| =1+1 | -1 | 9223372036854775807 |\n| a "b", c |  | {"x":1} |\n'],
  ['lines', '=1+1\t-1\t9223372036854775807\na "b", c\t\t{"x":1}\n'],
] as const)('%s', (format, text) => expect(rowsAs(format, source, ['0', '1', '2'])).toBe(text));
