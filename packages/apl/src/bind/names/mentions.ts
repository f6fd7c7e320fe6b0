import { matchesPattern } from '../../operators/patterns.js';
import type { Field, RareFields } from '../../model/catalog.js';
import { consumeEach } from '../../model/compile-budget.js';
import type { NamePattern, Operator } from '../../syntax/ast.js';

/** In characters; names of fields are no longer. */
const LONGEST_NAME = 200;

/**
 * The names that occur in a query: as a name, a path, a string or a pattern. A dataset may have a
 * hundred thousand fields; only fields that may be mentioned become columns of the plan. Too many
 * are harmless.
 */
export class Mentions {
  readonly #words = new Set<string>();
  readonly #patterns: NamePattern[] = [];
  #all = false;
  /**
   * Joins append a number to the names of columns that both sides have: the words without theirs,
   * which count if there are joins.
   */
  readonly #unnumberedWords = new Set<string>();
  /** Names that operators take with all members, in case they are objects of events. */
  readonly #objects = new Set<string>();
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
      for (let cut = 1; cut <= maxDigits && /\d/.test(word.at(-cut) ?? ''); cut++)
        this.#unnumberedWords.add(word.slice(0, -cut));
    }
    if (typeof tree !== 'object' || tree === null) return;
    if ('kind' in tree && tree.kind === 'getschema') this.#all = true;
    if ('kind' in tree && (tree.kind === 'join' || tree.kind === 'lookup')) this.#joins = true;
    if ('kind' in tree && takesMembers.has(tree.kind)) this.#addObjects(tree);
    // A lone star means the fields of a table as they are, the rare ones together in one column.
    if ('wildcard' in tree && tree.wildcard === true && (tree as NamePattern).text !== '*')
      this.#patterns.push(tree as NamePattern);
    for (const part of Object.values(tree)) this.add(part);
  }

  /** Adds all texts of an operator that chooses columns. */
  #addObjects(tree: unknown): void {
    if (typeof tree === 'string') this.#objects.add(tree.replaceAll('\\.', '.'));
    if (typeof tree === 'object' && tree !== null) for (const part of Object.values(tree)) this.#addObjects(part);
  }

  /** Adds a name, and the names of map fields that may contain it as a key. */
  #addName(name: string): void {
    this.#words.add(name);
    for (let end = name.indexOf('.'); end !== -1 && end <= LONGEST_NAME; end = name.indexOf('.', end + 1))
      this.#words.add(name.slice(0, end));
  }

  /**
   * The fields that may be mentioned. Iterates over all fields only if there are patterns, or
   * objects with all their members.
   */
  among(fields: RareFields): readonly Field[] {
    if (this.#all) return [...consumeEach(fields.all(), 0.2)];
    const words = [...this.#words, ...(this.#joins ? this.#unnumberedWords : [])];
    const hasObjects = [...this.#objects].some((name) => fields.beneath(name));
    const candidates =
      this.#patterns.length > 0 || hasObjects
        ? [...consumeEach(fields.all(), 0.2)]
        : words.flatMap((word) => [...consumeEach(fields.ending(word), 0.2)]);
    const meant = candidates.filter(({ name }) => this.has(name));
    return [...new Map(meant.map((field) => [field.name, field])).values()];
  }

  /** Whether a field of this name may be mentioned. */
  has(field: string): boolean {
    const matches = (pattern: NamePattern): boolean =>
      matchesPattern(pattern, field) || (this.#joins && matchesPattern(pattern, `${field}1`));
    return this.#spell(field) || this.#patterns.some(matches) || this.#isInObject(field);
  }

  #isInObject(field: string): boolean {
    for (let dot = field.indexOf('.'); dot !== -1; dot = field.indexOf('.', dot + 1))
      if (this.#objects.has(field.slice(0, dot))) return true;
    return false;
  }

  /** Names as they may be on the right side of a join, which may add a number to them. */
  get beforeJoins(): Iterable<string> {
    return this.#joins ? this.#unnumberedWords : [];
  }

  /**
   * Whether words with dots between them make up the name, as those of `['attributes.custom']['k']`
   * do.
   */
  #spell(name: string): boolean {
    const isWord = (word: string): boolean => this.#words.has(word) || (this.#joins && this.#unnumberedWords.has(word));
    const ends = [-1];
    for (let at = 0; at <= name.length; at++)
      if ((at === name.length || name[at] === '.') && ends.some((end) => isWord(name.slice(end + 1, at))))
        ends.push(at);
    return ends.at(-1) === name.length;
  }
}

/** Operators that take an object of events with all its members, each in its column. */
const takesMembers: ReadonlySet<unknown> = new Set<Operator['kind']>([
  'project-away',
  'project-rename',
  'project-reorder',
  'redact',
  'evaluate',
]);

/** No query joins so many tables. */
const maxDigits = 3;
