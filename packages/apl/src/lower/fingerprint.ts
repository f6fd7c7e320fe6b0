import { type Expr, type LiteralValue, printExpr } from '@millrace/sql';
import { consume } from '../model/compile-budget.js';

const known = new WeakMap<Expr, string>();

/**
 * Fingerprint of an expression: 64 bits in hexadecimal, the same for equal expressions. A shared
 * expression often contains other shared expressions, so fingerprints of parts are cached: printing
 * each expression in full would take quadratic time.
 */
export function fingerprint(expr: Expr): string {
  const before = known.get(expr);
  if (before !== undefined) return before;
  const text = textOf(expr);
  consume(0.2 + text.length / 2500);
  const hash = hashOf(text);
  known.set(expr, hash);
  return hash;
}

/** A text in which long parts stand as their fingerprints. */
function textOf(expr: Expr): string {
  switch (expr.kind) {
    case 'call': {
      // Windows are rare, and short.
      if (expr.over !== undefined) return printExpr(expr);
      const params = expr.params === undefined ? '' : `(${expr.params.map(partOf).join()})`;
      return `${expr.name}${params}(${expr.args.map(partOf).join()})`;
    }
    case 'lambda':
      return `(${expr.params.map((name) => JSON.stringify(name)).join()})->${fingerprint(expr.body)}`;
    case 'column':
    case 'literal':
    case 'star':
    case 'scalarSubquery':
    case 'inSubquery':
    case 'printed':
      return printExpr(expr);
  }
}

/**
 * The fingerprint of a part; short parts are used directly, because there may be thousands in a
 * list.
 */
function partOf(expr: Expr): string {
  consume(0.03);
  const isShort = expr.kind === 'column' || (expr.kind === 'literal' && !isLong(expr.value));
  return isShort ? printExpr(expr) : fingerprint(expr);
}

const isLong = (value: LiteralValue): boolean => typeof value === 'string' && value.length > 32;

/** FNV-1a in two lanes. */
function hashOf(text: string): string {
  let a = 0x811c9dc5;
  let b = 0xc2b2ae35;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
  }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
}
