import { matchesPattern } from '../operators/patterns.js';
import type { Field, RareFields } from '../catalogue.js';
import type { NamePattern } from '../syntax/ast.js';

/**
 * The names in a query, which tell whether it may mean a field: by its name, as a path, as a text, or by a pattern. A dataset
 * may have a hundred thousand fields; only those that may be meant become columns of the plan. A few too many do no harm.
 */
export class Mentions {
  readonly #words = new Set<string>();
  readonly #patterns: NamePattern[] = [];
  #all = false;

  /** Adds all names and texts of a syntax tree, or of a part of one; a dot in a name may be written `\\.`. */
  add(tree: unknown): void {
    if (typeof tree === 'string') this.#words.add(tree).add(tree.replaceAll('\\.', '.'));
    if (typeof tree !== 'object' || tree === null) return;
    if ('kind' in tree && tree.kind === 'getschema') this.#all = true;
    // A lone star means the fields of a table as they are, the rare ones together in one column.
    if ('wildcard' in tree && tree.wildcard === true && (tree as NamePattern).text !== '*')
      this.#patterns.push(tree as NamePattern);
    for (const part of Object.values(tree)) this.add(part);
  }

  /** The fields that may be meant. It goes through all of them only if there are patterns. */
  among(fields: RareFields): readonly Field[] {
    if (this.#all) return [...fields.all()];
    const candidates =
      this.#patterns.length > 0 ? [...fields.all()] : [...this.#words].flatMap((word) => [...fields.ending(word)]);
    const meant = candidates.filter(({ name }) => this.has(name));
    return [...new Map(meant.map((field) => [field.name, field])).values()];
  }

  /** Whether a field of this name may be meant. */
  has(field: string): boolean {
    return (
      this.#words.has(field) ||
      field.split('.').every((segment) => this.#words.has(segment)) ||
      this.#patterns.some((pattern) => matchesPattern(pattern, field))
    );
  }
}
