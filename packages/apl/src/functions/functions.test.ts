import { beforeAll, describe, expect, it } from 'vitest';
import { testEngine } from '../testing/engine.js';
import { literals } from '../testing/literals.js';
import { complaint, evaluate } from '../testing/run-examples.js';
import type { Outcome } from '../testing/run-examples.js';
import type { OverloadedFunction, Overload, ParamType } from './define.js';
import { functions } from './index.js';
import { scalarOperators } from './operators/index.js';

const engine = testEngine();
const records: readonly OverloadedFunction[] = [...new Set([...scalarOperators, ...functions])];

describe('examples', () => {
  const outcomes = new Map<string, Outcome>();
  beforeAll(() => {
    const texts = records.flatMap((record) => record.examples.map((example) => example.apl));
    for (const [i, outcome] of evaluate(engine, texts).entries()) outcomes.set(texts[i]!, outcome);
  }, 180_000);

  it.each(records.map((record) => [record.name, record] as const))('%s', (_, { examples }) => {
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.flatMap((example) => complaint(example, outcomes.get(example.apl)!) ?? [])).toEqual([]);
  });
});

describe('null in, null out', () => {
  const propagating = functions.filter((record) => record.handlesNulls !== true);
  const cases = propagating.flatMap((record) =>
    record.overloads.flatMap((overload) => nullCalls(record.name, overload).map((apl) => [record.name, apl] as const)),
  );
  let outcomes: readonly Outcome[] = [];
  beforeAll(() => {
    outcomes = evaluate(
      engine,
      cases.map(([, apl]) => apl),
      nullRow,
    );
  }, 180_000);

  it.each(propagating.map((record) => [record.name]))('%s', (name) => {
    const wrong = cases.flatMap(([caseName, apl], i) => {
      const outcome = outcomes[i]!;
      if (caseName !== name || ('error' in outcome && isRefusal(outcome.error))) return [];
      return 'value' in outcome && outcome.value === null ? [] : [`${apl}: ${JSON.stringify(outcome)}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe('names', () => {
  it('are unique, aliases included', () => {
    const names = functions.flatMap((record) => [record.name].concat(record.aliases ?? []));
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});

/**
 * A sample value of a type does not suit every function: calls that the function rejects while
 * compiling are left out.
 */
const isRefusal = (error: string): boolean => /^(argument_type|not_constant):/.test(error);

/** One row with a null of each type, in a column named after the type. */
const nullRow =
  'datatable(bool_:bool, long_:long, real_:real, string_:string, datetime_:datetime, timespan_:timespan, dynamic_:dynamic)' +
  '[bool(null), long(null), real(null), string(null), datetime(null), timespan(null), dynamic(null)]';

const nulls: Readonly<Record<ParamType, string>> = {
  bool: 'bool_',
  long: 'long_',
  real: 'real_',
  number: 'long_',
  string: 'string_',
  datetime: 'datetime_',
  timespan: 'timespan_',
  dynamic: 'dynamic_',
  array: 'dynamic_',
  bag: 'dynamic_',
  any: 'string_',
};

/** Calls of an overload with each argument null in turn, and literals for the others. */
function nullCalls(name: string, overload: Overload): readonly string[] {
  return overload.params.flatMap((param, i) => {
    if (param.constant === true) return [];
    const args = overload.params.map((p, k) => (i === k ? nulls : literals)[p.type]);
    return [`${name}(${args.join(', ')})`];
  });
}
