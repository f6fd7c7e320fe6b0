import { matchesPattern } from '../operators/patterns.js';
import type { NamePattern } from '../syntax/ast.js';

/**
 * What a query names: tells whether it may mean a field, by its name, as a path, as a text, or by a pattern. A dataset may
 * have a hundred thousand fields; only those that may be meant become columns of the plan. More than are meant do no harm.
 */
export class Mentions {
  readonly #words = new Set<string>();
  readonly #patterns: NamePattern[] = [];
  #all = false;

  /** Takes up all names and texts of a syntax tree, or a part of one. */
  add(tree: unknown): void {
    if (typeof tree === 'string') this.#words.add(tree);
    if (typeof tree !== 'object' || tree === null) return;
    if ('kind' in tree && tree.kind === 'getschema') this.#all = true;
    if ('wildcard' in tree && tree.wildcard === true) this.#patterns.push(tree as NamePattern);
    for (const part of Object.values(tree)) this.add(part);
  }

  has(field: string): boolean {
    return (
      this.#all ||
      this.#words.has(field) ||
      field.split('.').every((segment) => this.#words.has(segment)) ||
      this.#patterns.some((pattern) => pattern.text !== '*' && matchesPattern(pattern, field))
    );
  }
}
