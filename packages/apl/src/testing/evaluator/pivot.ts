import type { Argument, Expr, NamedExpr } from '../../syntax/ast.js';
import { aggregateFunctions } from './aggregates.js';
import { nameOf } from './naming.js';
import { freeName } from './free-name.js';
import { scalarOf } from './scalar.js';
import { summarize } from './summarize.js';
import { identity, oneZero, textOf } from './values.js';
import type { Column, Row, Table } from './values.js';

/**
 * A column for each value, with the aggregate of the rows that have it, and a row for each group.
 */
export function pivot(table: Table, [of, second, ...rest]: readonly Argument[]): Table {
  const { columns, rows } = table;
  const measured = second !== undefined && isAggregate(second.value);
  const measure = measured ? second.value : undefined;
  const groups: readonly NamedExpr[] = (measured || second === undefined ? rest : [second, ...rest]).map((group) => ({
    ...group,
    span: of!.value.span,
  }));
  const others = columns
    .filter(({ name }) => !mentions(of!.value, name) && (measure === undefined || !mentions(measure, name)))
    .map(({ name }) => ({ value: nameExpr(name, of!.value), span: of!.value.span }));
  const by = groups.length > 0 ? groups : others;
  const value = scalarOf(of!.value, columns);
  const labels = rows.map((_, i) => textOf(value.at(rows, i), value.type) || '(empty)');
  const labeled = new Map(rows.map((row, i) => [row, labels[i]!]));
  const values = [...new Set(labels)].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const aggregate = measure === undefined ? aggregateFunctions['count']!([]) : scalarOf(measure, columns);
  const keys = summarize(table, by, []);
  const grouping = by.map((group) => scalarOf(group.value, columns));
  const keyOf = (i: number): string =>
    grouping.map((scalar) => identity(oneZero(scalar.type, scalar.at(rows, i)))).join();
  const members = new Map<string, Row[]>();
  for (const [i, row] of rows.entries()) members.set(keyOf(i), [...(members.get(keyOf(i)) ?? []), row]);
  const taken = new Set(keys.columns.map(({ name }) => name));
  const added = values.map((text): Column => {
    const name = freeName(text, taken);
    taken.add(name);
    return { name, type: aggregate.type };
  });
  return {
    columns: [...keys.columns, ...added],
    rows: keys.rows.map((key) => [
      ...key,
      ...values.map((text) => {
        const within = members.get(key.map(identity).join()) ?? [];
        return aggregate.at(
          within.filter((row) => labeled.get(row) === text),
          0,
        );
      }),
    ]),
  };
}

const isAggregate = (expr: Expr): boolean => expr.kind === 'call' && aggregateFunctions[expr.callee.text] !== undefined;

const mentions = (node: unknown, name: string): boolean => {
  if (typeof node !== 'object' || node === null) return false;
  const expr = node as Expr;
  if (expr.kind === 'name') return nameOf(expr) === name;
  return Object.values(node).some((child) => mentions(child, name));
};

const nameExpr = (text: string, { span }: Expr): Expr => ({ kind: 'name', name: { text, quoted: true, span }, span });
