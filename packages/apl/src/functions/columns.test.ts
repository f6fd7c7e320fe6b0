import { beforeAll, describe, expect, it } from 'vitest';
import { parseExpression } from '../syntax/parse.js';
import type { Expr } from '../syntax/ast.js';
import { testEngine } from '../testing/engine.js';
import { complaint, evaluate } from '../testing/run-examples.js';
import type { Outcome } from '../testing/run-examples.js';
import { functionNamed, functions } from './index.js';

/**
 * Examples are written with constants, from which lowerings take short cuts. Here the same examples run with the constants in
 * columns of a row, wherever an argument need not be a constant.
 */

const engine = testEngine();

interface Column {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** An example with its literals replaced by columns. */
function inColumns(apl: string, prefix: string): { readonly apl: string; readonly columns: readonly Column[] } {
  const literals = literalArguments(parseExpression(apl).expr).toSorted((a, b) => b.span.start - a.span.start);
  const columns: Column[] = [];
  const rewritten = literals.reduce((text, { span, type }, i) => {
    const name = `${prefix}_${i}`;
    columns.push({ name, type, text: apl.slice(span.start, span.end) });
    return `${text.slice(0, span.start)}${name}${text.slice(span.end)}`;
  }, apl);
  return { apl: rewritten, columns };
}

type Literal = Extract<Expr, { kind: 'literal' }>;

function literalArguments(expr: Expr): readonly Literal[] {
  if (expr.kind !== 'call') return [];
  const record = functionNamed(expr.callee.text);
  return expr.args.flatMap(({ value }, i) => {
    const params = record?.overloads.map((overload) => overload.params[i] ?? overload.rest) ?? [];
    if (params.some((param) => param?.constant === true)) return [];
    return value.kind === 'literal' && value.value !== null ? [value] : literalArguments(value);
  });
}

const examples = functions
  .flatMap((record) => record.examples.map((example) => [record.name, example] as const))
  .map(([name, example], i) => ({ name, example, rewritten: inColumns(example.apl, `c${i}`) }));

/** Examples that share a row: a longer one costs more than another query. */
const TOGETHER = 25;

describe('examples with their constants in columns', () => {
  const outcomes = new Map<string, Outcome>();
  beforeAll(() => {
    for (let start = 0; start < examples.length; start += TOGETHER) {
      const some = examples.slice(start, start + TOGETHER);
      const columns = [{ name: 'none', type: 'long', text: '0' }, ...some.flatMap((one) => one.rewritten.columns)];
      const schema = columns.map(({ name, type }) => `${name}:${type}`).join(', ');
      const source = `datatable(${schema})[${columns.map(({ text }) => text).join(', ')}]`;
      const texts = some.map(({ rewritten }) => rewritten.apl);
      for (const [i, outcome] of evaluate(engine, texts, source).entries()) outcomes.set(texts[i]!, outcome);
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
