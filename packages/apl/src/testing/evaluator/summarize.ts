import type { Argument, Expr, NamedExpr } from '../../syntax/ast.js';
import { nameOf, namesOf } from './naming.js';
import { scalarOf } from './scalar.js';
import type { Scalar } from './scalar.js';
import { identity, oneZero } from './values.js';
import type { Column, Row, Table } from './values.js';

/** A row for each combination of groups, exactly one without groups. */
export function summarize({ columns, rows }: Table, by: readonly NamedExpr[], aggregates: readonly NamedExpr[]): Table {
  const given = aggregates.flatMap(({ name }) => name?.text ?? []);
  const names = namesOf(by, (i) => `Column${i + 1}`, given);
  const groups = by.map(({ value }, i) => ({
    name: names[i]!,
    scalar: scalarOf(value, columns),
  }));
  const members = new Map<string, { readonly keys: Row; readonly rows: Row[] }>();
  for (const [i, row] of rows.entries()) {
    const keys = groups.map(({ scalar }) => oneZero(scalar.type, scalar.at(rows, i)));
    const found = members.get(keys.map(identity).join());
    if (found === undefined) members.set(keys.map(identity).join(), { keys, rows: [row] });
    else found.rows.push(row);
  }
  const all = groups.length === 0 ? [{ keys: [], rows }] : [...members.values()];
  const plain = by.flatMap(({ name, value }) => (name === undefined && value.kind === 'name' ? [value.name.text] : []));
  const others = columns.filter((column) => !plain.includes(column.name));
  const outputs = aggregates
    .flatMap((aggregate) => outputsOf(aggregate, others))
    .map(({ name, value }) => ({
      name,
      scalar:
        value.kind === 'call' && value.callee.text === 'rate'
          ? rate(value.args[0]!.value, by, columns)
          : scalarOf(value, columns),
    }));
  return {
    columns: [...groups, ...outputs].map(({ name, scalar }) => ({
      name,
      type: scalar.type === 'mixed' ? 'dynamic' : scalar.type,
    })),
    rows: all.map((group) => [...group.keys, ...outputs.map(({ scalar }) => scalar.at(group.rows, 0))]),
  };
}

/** The sum per second of the bin that the rows are grouped by. */
function rate(value: Expr, by: readonly NamedExpr[], columns: readonly Column[]): Scalar {
  const bins = by.flatMap((group) => (group.value.kind === 'call' ? [group.value.args[1]!.value] : []));
  const seconds = Number(scalarOf(bins[0]!, []).at([[]], 0)) / 1e9;
  const scalar = scalarOf(value, columns);
  return {
    type: 'real',
    at: (rows) => rows.reduce((sum, row) => sum + Number(scalar.at([row], 0) ?? 0), 0) / seconds,
  };
}

/**
 * `arg_max(best, a, b)` makes a column for each argument; a star means all columns that are not
 * groups.
 */
function outputsOf(
  { name, value }: NamedExpr,
  columns: readonly Column[],
): readonly { readonly name: string; readonly value: Expr }[] {
  if (value.kind !== 'call' || !value.callee.text.startsWith('arg_')) {
    if (name === undefined) throw new Error('aggregates are named here');
    return [{ name: name.text, value }];
  }
  const [best, ...written] = value.args;
  const fields = written.flatMap((arg) => (arg.value.kind === 'star' ? allBut(nameOf(best!.value)!, columns) : [arg]));
  return [best!, ...fields].map((arg, i) => ({
    name: (i === 0 ? name?.text : undefined) ?? arg.name?.text ?? nameOf(arg.value)!,
    value: { ...value, args: [best!, arg] },
  }));
}

const allBut = (best: string, columns: readonly Column[]): readonly Argument[] =>
  columns
    .filter(({ name }) => name !== best)
    .map(({ name: text }) => {
      const span = { start: 0, end: 0 };
      return { value: { kind: 'name', name: { text, quoted: true, span }, span } };
    });
