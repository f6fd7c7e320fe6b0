import { and, call, literal, or } from './build.js';
import type { Call, Expr } from './nodes.js';

/** Whether some row that is left may have all of the words in a column. */
export type MayHave = (column: string, words: readonly string[]) => boolean;

/** Drops tests of columns for words that no row contains. */
export function withoutAbsentWords(condition: Expr, mayHave: MayHave): Expr {
  if (condition.kind !== 'call') return condition;
  const { wants, args } = condition;
  if (wants !== undefined && !mayHave(wants.column, wants.words)) return literal(wants.without);
  const left = args.map((arg) => withoutAbsentWords(arg, mayHave));
  return left.every((arg, i) => arg === args[i]) ? condition : foldTexts({ ...condition, args: left });
}

/** The call, simplified where some of its arguments have become constants. */
function foldTexts(changed: Call): Expr {
  const { name, args } = changed;
  switch (name) {
    case 'and':
      return args.some(isFalse) ? literal(false) : and(...args);
    case 'or':
      return or(...args.filter((arg) => !isFalse(arg)));
    case 'bitOr': {
      const left = args.filter((arg) => !isFalse(arg));
      return left.length === 0 ? literal(false) : left.length === 1 ? left[0]! : changed;
    }
    case 'concat':
      return concatenate(args);
    default:
      return changed;
  }
}

const isFalse = (expr: Expr): boolean => expr.kind === 'literal' && expr.value === false;

/** Concatenates texts; adjacent constants are merged. */
function concatenate(texts: readonly Expr[]): Expr {
  const parts: Expr[] = [];
  for (const text of texts) {
    const before = parts.at(-1);
    const both = before === undefined ? undefined : constantOf([before, text]);
    if (both !== undefined) parts.splice(-1, 1, literal(both));
    else parts.push(text);
  }
  return parts.length === 1 ? parts[0]! : call('concat', ...parts);
}

function constantOf(texts: readonly Expr[]): string | undefined {
  const values = texts.map((text) => (text.kind === 'literal' ? text.value : undefined));
  return values.every((value) => typeof value === 'string') ? values.join('') : undefined;
}
