import { beforeAll, describe, expect, it } from 'vitest';
import { testEngine } from '../testing/engine.js';
import { catalogOf, createDataset } from '../testing/events.js';
import { literals } from '../testing/literals.js';
import { evaluate } from '../testing/run-examples.js';
import type { Outcome } from '../testing/run-examples.js';
import type { OverloadedFunction, Overload, Param, ParamType } from './define.js';
import { functions } from './index.js';

/** Every query that compiles returns a result: the engine fails for no argument of a function. */

const engine = testEngine();

/**
 * Values at the ends of each type, empty values, Unicode, and dynamic values of unexpected types.
 */
const storedValues = {
  b: [true, false],
  i: ['0', '-1', '9223372036854775807', '-9223372036854775808'],
  f: [-0.5, 1e308, -1e308, 5e-324],
  s: ['', '日本語 🎉 é', '[1, {', '%_\\("\'', '9223372036854775808'],
  t: ['1970-01-01T00:00:00Z', '1900-01-01T00:00:00Z', '2262-04-11T23:47:16Z'],
  j: ['[]', '{}', '"é🎉"', '[1,"a",null,{"k":[true]},-2.5]', '{"é":{"k":null},"":1}', '9223372036854775807'],
} as const;

const columnsOf = (kind: keyof typeof storedValues): readonly string[] =>
  storedValues[kind].map((_, i) => `${kind}${i}`);
/**
 * One event with every value in a field: constants might be folded before they reach the engine.
 */
const event = Object.fromEntries(
  Object.entries(storedValues).flatMap(([kind, values]) =>
    values.map((value, i) => [`${kind}${i}#${kind}`, value] as const),
  ),
);
/**
 * An event without any of the fields: the engine also computes such rows, with a placeholder for
 * the null.
 */
const nothing = { _time: '2024-06-15T11:00:00Z' };

const extremes = {
  bool: columnsOf('b'),
  long: columnsOf('i'),
  real: columnsOf('f'),
  string: columnsOf('s'),
  datetime: columnsOf('t'),
  timespan: columnsOf('i').map((name) => `totimespan(${name})`),
  dynamic: columnsOf('j'),
};

const valuesOf: Readonly<Record<ParamType, readonly string[]>> = {
  ...extremes,
  number: [...extremes.long, ...extremes.real],
  array: extremes.dynamic,
  bag: extremes.dynamic,
  any: Object.values(extremes).flatMap((values) => values.slice(-2)),
};

/**
 * Calls of each overload: enough for its first argument to take every value somewhere, few enough
 * to stay quick.
 */
const ROUNDS = 3;

/** Calls with extreme values in every argument, different ones each time. */
function calls(name: string, { params, rest }: Overload, nth: number): readonly string[] {
  const all = rest === undefined ? params : [...params, rest];
  const value = (param: Param, n: number): string =>
    param.constant === true ? literals[param.type] : valuesOf[param.type][n % valuesOf[param.type].length]!;
  return Array.from(
    { length: ROUNDS },
    (_, round) => `${name}(${all.map((param, i) => value(param, nth + round + 2 * i)).join(', ')})`,
  );
}

const cases = functions.map((record, nth): readonly [OverloadedFunction, readonly string[]] => [
  record,
  record.overloads.flatMap((overload) => calls(record.name, overload, nth)),
]);

/** Errors from the compiler, which describe the problem, are expected. */
const isRefusal = (error: string): boolean => /^[a-z_]+: /.test(error);

describe('the ends of every type', () => {
  const outcomes = new Map<string, Outcome>();
  beforeAll(() => {
    const dataset = createDataset(engine, 'extremes', [{ ...event, _time: '2024-06-15T11:30:00Z' }, nothing]);
    const texts = [...new Set(cases.flatMap(([, apl]) => apl))];
    for (const [i, outcome] of evaluate(engine, texts, 'extremes', catalogOf(dataset)).entries())
      outcomes.set(texts[i]!, outcome);
  }, 120_000);

  it.each(cases.map(([record, apl]) => [record.name, apl] as const))('%s', (_, apl) => {
    const failed = apl.flatMap((text) => {
      const outcome = outcomes.get(text)!;
      return 'error' in outcome && !isRefusal(outcome.error) ? [`${text}: ${outcome.error.slice(0, 160)}`] : [];
    });
    expect(failed).toEqual([]);
  });
});
