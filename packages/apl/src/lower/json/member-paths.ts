import type { Expr } from '@millrace/sql';

/** Where a value is found. */
export interface Path {
  /** JSON; without keys, a text that may be JSON. */
  readonly json: Expr;
  readonly keys: readonly Expr[];
}

export const pathIn = (json: Expr, ...keys: readonly Expr[]): Path => ({ json, keys });
export const extendPath = ({ json, keys }: Path, key: Expr): Path => ({ json, keys: [...keys, key] });

/** The path of each expression that is a member or a parsed string. */
const paths = new WeakMap<Expr, Path>();

export const pathOf = (expr: Expr): Path | undefined => paths.get(expr);
export const recordPath = (expr: Expr, path: Path): void => void paths.set(expr, path);
