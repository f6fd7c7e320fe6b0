import { describe, expect, it } from 'vitest';
import { parseExpression } from '../syntax/parse.js';
import type { Expr } from '../syntax/ast.js';
import { testEngine } from '../testing/engine.js';
import { catalogOf, createDataset } from '../testing/events.js';
import { complaint, evaluate } from '../testing/run-examples.js';
import type { Outcome } from '../testing/run-examples.js';
import type { OverloadedFunction } from './define.js';
import { functionNamed, functions } from './index.js';

/**
 * Examples use constants, for which lowering takes shortcuts. Here the same examples run with the
 * constants in the columns of an event, except where an argument must be constant. Strings are in
 * dictionary columns, like stored strings, and in a second run in plain columns, like computed
 * strings.
 */

const engine = testEngine();

type Literal = Extract<Expr, { kind: 'literal' }>;

/** Suffix of the physical column that holds a literal; the other types stay in the text. */
const suffixes: Readonly<Partial<Record<Literal['type'], string>>> = { long: 'i', real: 'f', string: 's', bool: 'b' };

/** Suffix of string columns without a dictionary. */
const PLAIN = 'c';

/** Literals in arguments that need not be constant. */
function literalArguments(expr: Expr): readonly Literal[] {
  if (expr.kind !== 'call') return [];
  const record = functionNamed(expr.callee.text);
  return expr.args.flatMap(({ value }, i) => {
    if (record === undefined || demandsConstant(record, i)) return [];
    return value.kind === 'literal' ? [value] : literalArguments(value);
  });
}

const demandsConstant = (record: OverloadedFunction, index: number): boolean =>
  record.overloads.some((overload) => (overload.params[index] ?? overload.rest)?.constant === true);

/** An example with its literals replaced by columns, and the values of those columns. */
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

/**
 * An older event without any of the fields: the engine also computes such rows, with a placeholder
 * for the null.
 */
const nothing = { _time: '2024-06-15T11:00:00Z' };

/** The columns with their strings outside dictionaries. */
const plain = (columns: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [name.replace(/#s$/, `#${PLAIN}`), value]));

/**
 * With one string column the engine computes the values of its dictionary, with several it computes
 * all rows: there the two kinds can differ.
 */
const hasTexts = ({ rewritten }: (typeof examples)[number]): boolean =>
  Object.keys(rewritten.columns).filter((name) => name.endsWith('#s')).length > 1;

/** How many examples share a table. */
const TOGETHER = 50;

describe.each([
  ['as they are stored', examples, (columns: Record<string, unknown>) => columns],
  ['as they are computed', examples.filter(hasTexts), plain],
] as const)('examples with their constants in columns %s', (kind, chosen, inKind) => {
  /** Outcomes of the examples from `start` on that share a table, by text. */
  const evaluateFrom = (start: number): ReadonlyMap<string, Outcome> => {
    const some = chosen.slice(start, start + TOGETHER);
    const event = Object.assign({}, ...some.map(({ rewritten }) => inKind(rewritten.columns))) as Record<
      string,
      unknown
    >;
    const dataset = createDataset(engine, `${kind} ${start}`, [
      { ...event, 'none#i': 0, _time: '2024-06-15T11:30:00Z' },
      nothing,
    ]);
    const texts = some.map(({ rewritten }) => rewritten.apl);
    const found = evaluate(engine, texts, `['${dataset.name}']`, catalogOf(dataset));
    return new Map(found.map((outcome, i) => [texts[i]!, outcome]));
  };
  // Each table is made by the first test that needs it, so that no single test or hook takes the
  // time of all.
  const evaluated = new Map<number, ReadonlyMap<string, Outcome>>();
  const outcomesFrom = (start: number): ReadonlyMap<string, Outcome> => {
    const known = evaluated.get(start) ?? evaluateFrom(start);
    evaluated.set(start, known);
    return known;
  };

  it.each([...new Set(chosen.map(({ name }) => name))].map((name) => [name]))('%s', (name) => {
    const wrong = [...chosen.entries()]
      .filter(([, one]) => one.name === name)
      .flatMap(
        ([
          i,
          {
            example,
            rewritten: { apl },
          },
        ]) => {
          const outcome = outcomesFrom(i - (i % TOGETHER)).get(apl)!;
          return complaint({ ...example, apl }, outcome) ?? [];
        },
      );
    expect(wrong).toEqual([]);
  });
});
