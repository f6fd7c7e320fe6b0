import { matchesPattern } from '../../operators/patterns.js';
import type { Field, RareFields } from '../../catalogue.js';
import { counted } from '../../effort.js';
import type { NamePattern } from '../../syntax/ast.js';

/** Characters; those of fields are no longer. */
const LONGEST_NAME = 200;

/**
 * The names in a query, which tell whether it may mean a field: by its name, as a path, as a text,
 * or by a pattern. A dataset may have a hundred thousand fields; only those that may be meant
 * become columns of the plan. A few too many do no harm.
 */
export class Mentions {
  readonly #words = new Set<string>();
  readonly #patterns: NamePattern[] = [];
  #all = false;
  /**
   * Joins append a number to the names of columns that both sides have: the words without theirs,
   * which count if there are joins.
   */
  readonly #unnumbered = new Set<string>();
  #joins = false;

  /**
   * Adds all names and texts of a syntax tree, or of a part of one; a dot in a name may be written
   * `\\.`.
   */
  add(tree: unknown): void {
    if (typeof tree === 'string') {
      const word = tree.replaceAll('\\.', '.');
      this.#words.add(tree);
      this.#addName(word);
      for (let cut = 1; cut <= mostDigits && /\d/.test(word.at(-cut) ?? ''); cut++)
        this.#unnumbered.add(word.slice(0, -cut));
    }
    if (typeof tree !== 'object' || tree === null) return;
    if ('kind' in tree && tree.kind === 'getschema') this.#all = true;
    if ('kind' in tree && (tree.kind === 'join' || tree.kind === 'lookup')) this.#joins = true;
    // A lone star means the fields of a table as they are, the rare ones together in one column.
    if ('wildcard' in tree && tree.wildcard === true && (tree as NamePattern).text !== '*')
      this.#patterns.push(tree as NamePattern);
    for (const part of Object.values(tree)) this.add(part);
  }

  /** Adds a name, and those of the map fields in which events may have what it names. */
  #addName(name: string): void {
    this.#words.add(name);
    for (let end = name.indexOf('.'); end !== -1 && end <= LONGEST_NAME; end = name.indexOf('.', end + 1))
      this.#words.add(name.slice(0, end));
  }

  /** The fields that may be meant. It goes through all of them only if there are patterns. */
  among(fields: RareFields): readonly Field[] {
    if (this.#all) return [...counted(fields.all(), 0.2)];
    const words = [...this.#words, ...(this.#joins ? this.#unnumbered : [])];
    const candidates =
      this.#patterns.length > 0
        ? [...counted(fields.all(), 0.2)]
        : words.flatMap((word) => [...counted(fields.ending(word), 0.2)]);
    const meant = candidates.filter(({ name }) => this.has(name));
    return [...new Map(meant.map((field) => [field.name, field])).values()];
  }

  /** Whether a field of this name may be meant. */
  has(field: string): boolean {
    const matches = (pattern: NamePattern): boolean =>
      matchesPattern(pattern, field) || (this.#joins && matchesPattern(pattern, `${field}1`));
    return this.#spell(field) || this.#patterns.some(matches);
  }

  /**
   * Whether words with dots between them make up the name, as those of `['attributes.custom']['k']`
   * do.
   */
  #spell(name: string): boolean {
    const isWord = (word: string): boolean => this.#words.has(word) || (this.#joins && this.#unnumbered.has(word));
    const ends = [-1];
    for (let at = 0; at <= name.length; at++)
      if ((at === name.length || name[at] === '.') && ends.some((end) => isWord(name.slice(end + 1, at))))
        ends.push(at);
    return ends.at(-1) === name.length;
  }
}

/** As many tables are never joined. */
const mostDigits = 3;
