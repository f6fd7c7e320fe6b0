import { beforeAll, describe, expect, it } from 'vitest';
import { parseExpression } from '../syntax/parse.js';
import type { Expr } from '../syntax/ast.js';
import { testEngine } from '../testing/engine.js';
import { catalogueOf, createDataset } from '../testing/events.js';
import { complaint, evaluate } from '../testing/run-examples.js';
import type { Outcome } from '../testing/run-examples.js';
import type { FunctionRecord } from './define.js';
import { functionNamed, functions } from './index.js';

/**
 * Examples are written with constants, from which lowerings take short cuts. Here the same examples run with the constants in
 * the columns of an event, wherever an argument need not be a constant: strings in dictionary columns, as real ones are.
 */

const engine = testEngine();

type Literal = Extract<Expr, { kind: 'literal' }>;

/** Suffix of the physical column that holds a literal; the other types stay in the text. */
const suffixes: Readonly<Partial<Record<Literal['type'], string>>> = { long: 'i', real: 'f', string: 's', bool: 'b' };

/** Literals that are arguments where a constant is not demanded. */
function literalArguments(expr: Expr): readonly Literal[] {
  if (expr.kind !== 'call') return [];
  const record = functionNamed(expr.callee.text);
  return expr.args.flatMap(({ value }, i) => {
    if (record === undefined || demandsConstant(record, i)) return [];
    return value.kind === 'literal' ? [value] : literalArguments(value);
  });
}

const demandsConstant = (record: FunctionRecord, index: number): boolean =>
  record.overloads.some((overload) => (overload.params[index] ?? overload.rest)?.constant === true);

/** An example with its literals replaced by columns, and what is in them. */
function inColumns(apl: string, prefix: string): { readonly apl: string; readonly columns: Record<string, unknown> } {
  const literals = literalArguments(parseExpression(apl).expr)
    .filter(({ type, value }) => suffixes[type] !== undefined && value !== null)
    .toSorted((a, b) => b.span.start - a.span.start);
  const columns: Record<string, unknown> = {};
  const rewritten = literals.reduce((text, { span, type, value }, i) => {
    columns[`${prefix}_${i}#${suffixes[type]}`] = typeof value === 'bigint' ? String(value) : value;
    return `${text.slice(0, span.start)}${prefix}_${i}${text.slice(span.end)}`;
  }, apl);
  return { apl: rewritten, columns };
}

const examples = functions
  .flatMap((record) => record.examples.map((example) => [record.name, example] as const))
  .map(([name, example], i) => ({ name, example, rewritten: inColumns(example.apl, `c${i}`) }));

/** Examples that share a table. */
const TOGETHER = 50;

describe('examples with their constants in columns', () => {
  const outcomes = new Map<string, Outcome>();
  beforeAll(() => {
    for (let start = 0; start < examples.length; start += TOGETHER) {
      const some = examples.slice(start, start + TOGETHER);
      const event = Object.assign({}, ...some.map(({ rewritten }) => rewritten.columns)) as Record<string, unknown>;
      const dataset = createDataset(engine, `from${start}`, [{ ...event, 'none#i': 0, _time: '2024-06-15T11:30:00Z' }]);
      const texts = some.map(({ rewritten }) => rewritten.apl);
      const found = evaluate(engine, texts, dataset.name, catalogueOf(dataset));
      for (const [i, outcome] of found.entries()) outcomes.set(texts[i]!, outcome);
    }
  });

  it.each(functions.map((record) => [record.name]))('%s', (name) => {
    const mine = examples.filter((one) => one.name === name);
    const wrong = mine.flatMap(
      ({ example, rewritten: { apl } }) => complaint({ ...example, apl }, outcomes.get(apl)!) ?? [],
    );
    expect(wrong).toEqual([]);
  });
});
