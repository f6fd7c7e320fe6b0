import type { Expr, TableSource, Tabular } from '../syntax/ast.js';
import type { Lets, LetValue } from './context.js';

/**
 * The pipeline of a value: the value itself is a pipeline, the name of a table, or a call of a
 * function that returns a table.
 */
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
      if (own?.kind === 'function' && isCalledByName(own))
        return from({ kind: 'call', callee: value.name, args: [], span });
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

/**
 * Whether a function returns a table and needs no arguments, so that its name alone is the table.
 */
export const isCalledByName = ({ params, body }: Extract<LetValue, { kind: 'function' }>): boolean =>
  body.kind === 'pipeline' && params.every((param) => param.default !== undefined);

const from = (source: TableSource): Tabular => ({ kind: 'pipeline', source, operators: [], span: source.span });
