import { type Expr, type LiteralValue, printExpr } from '@millrace/sql';
import { consume } from '../model/compile-budget.js';

/** A hash of 64 bits, in two halves. */
interface Hash {
  readonly a: number;
  readonly b: number;
}

const fingerprints = new WeakMap<Expr, Hash>();

/**
 * Fingerprint of an expression: 64 bits in hexadecimal, the same for equal expressions. A shared
 * expression often contains other shared expressions, so the hash of an expression is made of those
 * of its parts, which are cached: printing each in full would take quadratic time.
 */
export function fingerprint(expr: Expr): string {
  const { a, b } = hashOf(expr);
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
}

function hashOf(expr: Expr): Hash {
  const before = fingerprints.get(expr);
  if (before !== undefined) return before;
  consume(0.2);
  const hasher = new Hasher();
  add(expr, hasher);
  const hash = hasher.hash();
  fingerprints.set(expr, hash);
  return hash;
}

function add(expr: Expr, hasher: Hasher): void {
  switch (expr.kind) {
    case 'call':
      // Windows are rare, and short.
      if (expr.over !== undefined) return hasher.text(printExpr(expr));
      hasher.text(expr.name);
      if (expr.params !== undefined) addParts(expr.params, hasher);
      return addParts(expr.args, hasher);
    case 'lambda':
      hasher.text('->');
      for (const name of expr.params) hasher.text(name);
      return hasher.part(hashOf(expr.body));
    case 'column':
    case 'literal':
    case 'star':
    case 'scalarSubquery':
    case 'inSubquery':
    case 'printed':
      return hasher.text(printExpr(expr));
  }
}

/** Short parts are not cached, because there may be thousands in a list. */
function addParts(parts: readonly Expr[], hasher: Hasher): void {
  hasher.number(parts.length);
  consume(0.03 * parts.length);
  for (const part of parts) {
    const isShort = part.kind === 'column' || (part.kind === 'literal' && !isLong(part.value));
    if (isShort) hasher.text(printExpr(part));
    else hasher.part(hashOf(part));
  }
}

const isLong = (value: LiteralValue): boolean => typeof value === 'string' && value.length > 32;

/** Two lanes of different constants: FNV-1a over texts, with the mixing of Murmur between parts. */
class Hasher {
  #a = 0x811c9dc5;
  #b = 0xc2b2ae35;

  text(text: string): void {
    consume(text.length / 2500);
    let [a, b] = [this.#a, this.#b];
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      a = Math.imul(a ^ code, 0x01000193);
      b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
    }
    [this.#a, this.#b] = [a, b];
    this.number(text.length);
  }

  number(value: number): void {
    this.part({ a: value, b: value });
  }

  part({ a, b }: Hash): void {
    this.#a = mixValue(this.#a, a, 0xcc9e2d51);
    this.#b = mixValue(this.#b, b, 0x1b873593);
  }

  hash(): Hash {
    return { a: this.#a, b: this.#b };
  }
}

function mixValue(state: number, value: number, factor: number): number {
  const next = Math.imul(state ^ Math.imul(value, factor), 0x85ebca6b);
  return Math.imul(next ^ (next >>> 15), 0xc2b2ae35) ^ (next >>> 13);
}
