import type { Expr, NamedExpr } from '../../syntax/ast.js';
import { freeName } from './free-name.js';

/** Functions after which a column keeps the name of their first argument. */
const conversions: ReadonlySet<string> = new Set(
  `bin bin_at bin_auto startofday split tohex tostring toint tolong todouble toreal tobool toboolean todatetime totimespan
   todynamic parse_json parse_csv format_datetime format_timespan`.split(/\s+/),
);

/**
 * The name that follows from an expression: that of a field, of the parts of a path, or of the
 * field that is converted.
 */
export function nameOf(value: Expr): string | undefined {
  if (value.kind === 'name') return value.name.text;
  if (value.kind === 'call') return conversions.has(value.callee.text) ? nameOf(value.args[0]!.value) : undefined;
  if (value.kind !== 'member' && value.kind !== 'index') return undefined;
  const object = nameOf(value.object);
  if (object === undefined) return undefined;
  if (value.kind === 'member') return `${object}_${value.member.text}`;
  return value.index.kind === 'literal' ? `${object}_${String(value.index.value)}` : undefined;
}

/**
 * The names of columns. A name derived from a conversion yields to the others and to `outputs`: it
 * gets a number that also avoids `replaceable`. An unnamed column gets the name that `unnamed`
 * makes of its index.
 */
export function namesOf(
  written: readonly NamedExpr[],
  unnamed: (i: number) => string,
  outputs: readonly string[] = [],
  replaceable: readonly string[] = [],
): readonly string[] {
  const sure = written.map(({ name, value }) => name?.text ?? (value.kind === 'call' ? undefined : nameOf(value)));
  const taken = new Set([...outputs, ...sure.flatMap((name) => name ?? [])]);
  return written.map(({ value }, i) => {
    const wish = nameOf(value) ?? unnamed(i);
    const name = sure[i] ?? (taken.has(wish) ? freeName(wish, new Set([...taken, ...replaceable])) : wish);
    taken.add(name);
    return name;
  });
}
