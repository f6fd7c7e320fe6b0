import type { Argument, Expr, Statement, TableSource, Tabular } from '../../syntax/ast.js';

/** A `let` definition without rows: a value, which has no parameters, or a function. */
interface Definition {
  readonly params: readonly string[];
  readonly body: Expr | Tabular;
}

export type Definitions = ReadonlyMap<string, Definition>;

/**
 * The values and functions after a statement, which may use the ones before it; undefined if it
 * defines neither. A name alone is that of a table.
 */
export function definedBy(statement: Statement, before: Definitions): Definitions | undefined {
  if (statement.kind === 'letFunction') {
    const params = statement.params.map(({ name }) => name.text);
    return new Map([...before, [statement.name.text, { params, body: writtenOut(statement.body, before) }]]);
  }
  if (statement.kind !== 'let' || statement.value.kind === 'pipeline' || statement.value.kind === 'name')
    return undefined;
  return new Map([...before, [statement.name.text, { params: [], body: writtenOut(statement.value, before) }]]);
}

/**
 * Expands the values and functions of `let` in a part of a query. Their names differ from those of
 * columns.
 */
export const writtenOut = <T>(node: T, known: Definitions): T => (known.size === 0 ? node : (inside(node, known) as T));

function inside(node: unknown, known: Definitions): unknown {
  if (Array.isArray(node)) return node.map((item: unknown) => inside(item, known));
  if (typeof node !== 'object' || node === null) return node;
  const part = node as Expr | TableSource;
  if (part.kind === 'name') return inPlace(known.get(part.name.text)) ?? node;
  if (part.kind === 'table') {
    const named = known.get(part.pattern.text);
    const isName = named?.body.kind === 'name';
    return isName ? { ...part, pattern: { ...part.pattern, text: named.body.name.text } } : (inPlace(named) ?? node);
  }
  const called = part.kind === 'call' ? known.get(part.callee.text) : undefined;
  if (part.kind === 'call' && called !== undefined) {
    const args = called.params.map((param, i): readonly [string, Definition] => [
      param,
      { params: [], body: unwrapTabular(inside(part.args[i]!.value, known) as Argument['value']) },
    ]);
    return inPlace({ params: [], body: writtenOut(called.body, new Map(args)) });
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inside(value, known)]));
}

/** A value as it is, rows as a table in brackets. */
function inPlace(definition: Definition | undefined): Expr | TableSource | undefined {
  if (definition === undefined) return undefined;
  const { body } = definition;
  return body.kind === 'pipeline' ? { kind: 'nested', query: body, span: body.span } : body;
}

const unwrapTabular = (value: Expr): Expr | Tabular => (value.kind === 'tabular' ? value.query : value);
