import { expect, it } from 'vitest';
import { constant } from '../../plan/scalar.js';
import { testEngine } from '../../testing/engine.js';
import { evaluate } from '../../testing/run-examples.js';
import { textOfLiteral } from './literal-text.js';

const engine = testEngine();
const day = 86_400_000_000_000n;
const times = [
  0n,
  1n,
  -1n,
  999n,
  1_000n,
  1_500n,
  999_999n,
  1_000_000n,
  1_050_000n,
  999_999_999n,
  1_000_000_000n,
  59_999_999_999n,
]
  .concat([60_000_000_000n, 3_600_000_000_000n, 3_599_999_999_999n, 3_661_001_000_000n, -day, 400n * day + 1n])
  .concat([2n ** 63n - 1n, 1n - 2n ** 63n]);
const reals = [0, 1.5, -2, 1e300, 1e21, 1e20, 123456789012345680, 1e-6, 1e-7, 5e-324, 0.1 + 0.2];

it('writes constants as tostring does', () => {
  const values = [
    ...times.map((value) => [`totimespan(${value})`, constant('timespan', value)] as const),
    ...times.map((value) => [`todatetime(${value})`, constant('datetime', value)] as const),
    ...reals.map((value) => [`todouble("${value}")`, constant('real', value)] as const),
    ...[true, false].map((value) => [String(value), constant('bool', value)] as const),
  ];
  const texts = evaluate(
    engine,
    values.map(([apl]) => `tostring(${apl})`),
  );
  expect(values.map(([, literal]) => ({ value: textOfLiteral(literal) }))).toEqual(texts);
});
