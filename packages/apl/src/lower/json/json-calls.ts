import { cast } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import type { LoweredArgument } from '../../functions/define.js';
import { clickhouseType } from '../../model/types.js';

/**
 * Whether an expression calls JSON functions. The engine's refuse dictionary-encoded texts
 * (`LowCardinality(Nullable(String))`), which string columns and functions of them may be;
 * everything else is faster on those.
 */
export function readsJson(expr: Expr): boolean {
  switch (expr.kind) {
    case 'call':
      return expr.name.includes('JSON') || expr.args.some(readsJson);
    case 'lambda':
      return readsJson(expr.body);
    case 'column':
    case 'literal':
    case 'star':
    case 'scalarSubquery':
    case 'printed':
    case 'inSubquery':
      return false;
  }
}

/** Texts as plain strings. */
export const withoutDictionary = (args: readonly LoweredArgument[]): readonly LoweredArgument[] =>
  args.map((arg) =>
    arg.type === 'string' && arg.constant === undefined
      ? { type: arg.type, sql: cast(arg.sql, clickhouseType.string) }
      : arg,
  );
