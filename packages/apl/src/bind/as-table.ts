import { fieldNamed } from '../plan/schema.js';
import type { Expr, TableSource, Tabular } from '../syntax/ast.js';
import type { Lets, Scope } from './context.js';

/** A pipeline, a bare name that is a table, or a call of a function that gives one. */
export function asTable(value: Expr | Tabular, lets: Lets, isDataset: (name: string) => boolean): Tabular | undefined {
  switch (value.kind) {
    case 'pipeline':
      return value;
    case 'tabular':
      return value.query;
    case 'name': {
      const { text, quoted, span } = value.name;
      const own = lets.get(text);
      const source = { kind: 'table', pattern: { text, wildcard: false, span }, quoted, span } as const;
      return (own === undefined ? isDataset(text) : own.kind === 'table') ? from(source) : undefined;
    }
    case 'call': {
      const own = lets.get(value.callee.text);
      return own?.kind === 'function' && own.body.kind === 'pipeline' ? from(value) : undefined;
    }
    default:
      return undefined;
  }
}

const from = (source: TableSource): Tabular => ({ kind: 'pipeline', source, operators: [], span: source.span });

/**
 * A table where values are expected: a pipeline, or the name of one bound by `let`. A column of the name comes first, and a
 * dataset does not count: which of its columns would be meant nobody could say.
 */
export const tableAmongValues = (expr: Expr, { schema, lets }: Scope): Tabular | undefined =>
  expr.kind === 'name' && fieldNamed(schema, expr.name.text) !== undefined
    ? undefined
    : asTable(expr, lets, () => false);
