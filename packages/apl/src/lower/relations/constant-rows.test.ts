import { printExpr, printQuery } from '@millrace/sql';
import { expect, it } from 'vitest';
import type { RowsPlan } from '../../plan/nodes.js';
import { constant } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import { compileOrThrow } from '../../testing/compile-text.js';
import { testEngine } from '../../testing/engine.js';
import { clickhouseType } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';
import { constantRows } from './constant-rows.js';

const engine = testEngine();

const typeOf = (types: readonly ScalarType[]): string =>
  `Array(Tuple(${['UInt32', ...types.map((type) => clickhouseType[type])].join(', ')}))`;

function planOf(types: readonly ScalarType[], rows: readonly (readonly Scalar[])[]): RowsPlan {
  const columns = types.map((type, i) => ({ type, id: `c${i}` }));
  return { kind: 'rows', schema: { fields: [] }, columns, rows };
}

/** The cells of one column as the engine reads them. */
function readBack(type: ScalarType, cells: readonly Scalar[]): readonly unknown[] {
  const rows = constantRows(
    planOf(
      [type],
      cells.map((cell) => [cell]),
    ),
    typeOf([type]),
  );
  if (rows === undefined) throw new Error('these are no constants');
  const sql = `SELECT arrayMap(row -> tuple(row.1, toString(row.2), isNull(row.2)), ${printExpr(rows)}) FORMAT JSONCompactEachRow`;
  const [[found]] = [JSON.parse(engine.text(sql)) as [[number, string | null, number][]]];
  return found.map(([place, text, isNull], i) => {
    expect([place, isNull]).toEqual([i, text === null ? 1 : 0]);
    return text;
  });
}

it('reads texts as they are', () => {
  const texts = [
    '',
    'null',
    '"q"',
    "it's",
    'a\\nb',
    'a\nb\t\0c',
    'Köln 😀',
    '\u2028',
    '[1',
    '{"a":1}',
    '\\u0041',
    '\x7f\x01',
  ];
  expect(readBack('string', [...texts.map((text) => constant('string', text)), constant('string', null)])).toEqual([
    ...texts,
    null,
  ]);
});

it('reads integers to the last', () => {
  const values = [0n, -1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
  expect(
    readBack(
      'long',
      [...values, 2n ** 63n].map((value) => constant('long', value)),
    ),
  ).toEqual([...values.map(String), null]);
});

it('reads reals to the last bit', () => {
  const values = [0.1, -2.5, 3, 1e20, 2 ** 63, 1.7976931348623157e308, 5e-324, 123456789012345680000];
  const texts = readBack(
    'real',
    values.map((value) => constant('real', value)),
  );
  expect(texts.map(Number)).toEqual(values);
  expect(readBack('real', [constant('real', -0)])).toEqual(['-0']);
});

it('reads booleans', () =>
  expect(
    readBack(
      'bool',
      [true, false, null].map((value) => constant('bool', value)),
    ),
  ).toEqual(['true', 'false', null]));

it.each([
  ['half a surrogate pair', 'string', constant('string', '\ud800')],
  ['not a number', 'real', constant('real', Number.NaN)],
  ['an infinity', 'real', constant('real', -Infinity)],
  ['a time', 'datetime', constant('datetime', 0n)],
  ['a value to be converted', 'string', constant('long', 1n)],
] as const)('leaves %s to expressions, and all rows with it', (_, type, cell) =>
  expect(constantRows(planOf([type], [[constant(type, null)], [cell]]), typeOf([type]))).toBeUndefined(),
);

it('keeps the order and the columns of rows', () => {
  const apl = 'datatable(a:string, b:long)["x", 3, "y", 1, string(null), long(null), "z", 2]';
  const { query } = compileOrThrow(apl);
  expect(printQuery(query)).toContain('JSONExtract(');
  expect(engine.rows(query)).toEqual([
    ['x', 3],
    ['y', 1],
    [null, null],
    ['z', 2],
  ]);
});
