import { describe, expect, it } from 'vitest';
import { aggregates } from '../aggregates/index.js';
import { QueryContext } from '../bind/context.js';
import { bindProgram } from '../bind/program.js';
import type { AggregateOverload } from '../aggregates/define.js';
import type { Plan } from '../plan/nodes.js';
import { inputsOf, scalarsOf } from '../plan/rewrite.js';
import { partsOf } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import { Report } from '../report.js';
import { parse } from '../syntax/parse.js';
import { testOptions } from '../testing/compile-text.js';
import type { Overload } from './define.js';
import { functions } from './index.js';
import { scalarOperators } from './operators/index.js';

/** Overloads chosen by the examples of the tables; the examples themselves run in other tests. */
const chosenOverloads = new Set<Overload | AggregateOverload>();

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

// A call of constants is not in the plan, so its overload is recorded when it is folded.
for (const { overloads } of [...functions, ...scalarOperators])
  for (const overload of overloads as readonly Mutable<Overload>[]) {
    const { fold } = overload;
    if (fold === undefined) continue;
    overload.fold = (args, context) => {
      chosenOverloads.add(overload);
      return fold(args, context);
    };
  }

function bind(text: string): void {
  const { program } = parse(text);
  const plan = bindProgram(program, new QueryContext(testOptions, new Report()), {})?.plan;
  if (plan !== undefined) visit(plan);
}
function visit(plan: Plan): void {
  for (const input of inputsOf(plan)) visit(input);
  if (plan.kind === 'aggregate') for (const { call } of plan.aggregates) chosenOverloads.add(call.overload);
  for (const scalar of scalarsOf(plan)) visitScalar(scalar);
}
function visitScalar(scalar: Scalar): void {
  if (scalar.kind === 'call') chosenOverloads.add(scalar.overload);
  if (scalar.kind === 'scalarPlan' || scalar.kind === 'inPlan') visit(scalar.plan);
  for (const part of partsOf(scalar)) visitScalar(part);
}

for (const { examples } of [...functions, ...scalarOperators]) for (const { apl } of examples) bind(`print ${apl}`);
for (const { examples } of aggregates) for (const { apl } of examples) bind(apl);

describe('every overload', () => {
  // A function defined in terms of others is bound as those, and so is `presence`; their own
  // overloads only declare the arguments.
  const called = functions.filter(({ written }) => written === undefined);
  const collected = aggregates.filter(({ name }) => name !== 'presence');
  it.each([...called, ...scalarOperators, ...collected].map((record) => [record.name, record] as const))(
    '%s',
    (_, { overloads }) => {
      const idle = (overloads as readonly (Overload | AggregateOverload)[]).filter(
        (overload) => !chosenOverloads.has(overload),
      );
      expect(idle.map(({ params }) => params.map(({ type }) => type).join(', '))).toEqual([]);
    },
  );
});
