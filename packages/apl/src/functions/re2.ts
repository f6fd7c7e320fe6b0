import type { RegexGroupItem, RegexItem, RegexTree } from './regex-tree.js';
import { readEscape, readSet } from './regex-characters.js';
import type { Characters } from './regex-characters.js';
import { RegexProblem } from './regex-problem.js';

/**
 * The syntax of regular expressions (RE2), parsed while compiling, so that an invalid one is an
 * error in the query rather than in the engine, and so that the lowering knows the possible matches
 * and the position of a group.
 *
 *     regex   = concat { "|" concat } ;   concat = { atom [ repeat ] }
 *     atom    = char | "." | "^" | "$" | escape | class | "(" [ "?:" | "?flags" [":"] | "?P<name>" | "?<name>" ] regex ")"
 *     repeat  = ( "*" | "+" | "?" | "{n}" | "{n,}" | "{n,m}" ) [ "?" ]
 */

interface RegexGroup {
  readonly name?: string;
  /** Whether this group has some text in every match of the whole expression. */
  readonly filled: boolean;
}

export interface RegexShape {
  readonly groups: readonly RegexGroup[];
  readonly tree: RegexTree;
  /** Whether the whole expression may match the empty text. */
  readonly mayBeEmpty: boolean;
  /** Whether a match depends on the surrounding text: `^`, `$`, `\b` and similar. */
  readonly looksAround: boolean;
}

/** The shape of a regular expression, or the error in it. */
type RegexReading =
  | { readonly ok: true; readonly shape: RegexShape }
  | { readonly ok: false; readonly message: string };

/**
 * Maximum depth of nested groups: no practical expression needs more, and the engine's stack is
 * small.
 */
const MAX_DEPTH = 100;
/** The engine's limit for one repeat, and for the product of nested ones. */
const MAX_REPEAT = 1000;
/** Compiled size in instructions, roughly; the engine refuses about 130 000. */
const MAX_SIZE = 50_000;

/** Reads a regular expression. */
export function readRegex(text: string): RegexReading {
  const known = readings.get(text);
  if (known !== undefined) return known;
  const reading = readAnew(text);
  if (readings.size >= MAX_READINGS) readings.clear();
  readings.set(text, reading);
  return reading;
}
/** A cache, because a constant is parsed when it is checked and again when it is lowered. */
const readings = new Map<string, RegexReading>();
const MAX_READINGS = 64;

function readAnew(text: string): RegexReading {
  try {
    return { ok: true, shape: new Reader(inHex(text)).read() };
  } catch (error) {
    if (error instanceof RegexProblem) return { ok: false, message: `regular expression: ${error.message}` };
    throw error;
  }
}

/** `\u00e9`, which others read, as the engine has it: `\x{00e9}`. */
const inHex = (text: string): string =>
  text.replace(/\\(?:u([0-9A-Fa-f]{4})|[^])/g, (escape, hex?: string) => (hex === undefined ? escape : `\\x{${hex}}`));

const REPEAT = /^(?:[*+?]|\{(\d{1,9})(?:(,)(\d{0,9}))?\})/;
const NOT_ASCII = /^[^\0-\x7f]$/u;
const COUNTED = /^\{\d+(?:,\d*)?\}/;

/**
 * A part of an expression: the least length it matches, its compiled size, and the product of the
 * repeats inside it.
 */
interface Part {
  readonly min: number;
  readonly size: number;
  readonly repeats: number;
  /** The part's structure, if it is a group. */
  readonly group?: Pick<RegexGroupItem, 'captures' | 'opening' | 'tree'>;
  /** How to write the part inside a larger expression, if it cannot stay as it is. */
  readonly closed?: string;
}
const nothing: Part = { min: 0, size: 1, repeats: 1 };
const oneChar: Part = { min: 1, size: 2, repeats: 1 };
const oneOfMany: Part = { min: 1, size: 20, repeats: 1 };

class Reader {
  readonly #text: string;
  #at = 0;
  #looksAround = false;
  readonly #groups: { name?: string; min: number; always: boolean }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): RegexShape {
    const [whole, tree] = this.#alternatives(0);
    if (this.#at < this.#text.length) throw new RegexProblem('a ) has no (');
    if (whole.size > MAX_SIZE) throw new RegexProblem('it is too large');
    return {
      tree,
      mayBeEmpty: whole.min === 0,
      looksAround: this.#looksAround,
      groups: this.#groups.map(({ name, min, always }) => ({
        ...(name === undefined ? {} : { name }),
        filled: always && min > 0,
      })),
    };
  }

  #alternatives(depth: number): [Part, RegexTree] {
    if (depth > MAX_DEPTH) throw new RegexProblem(`groups are nested deeper than ${MAX_DEPTH}`);
    const first = this.#groups.length;
    const tree: RegexItem[][] = [[]];
    let all = this.#sequence(depth, tree[0]!);
    while (this.#skip('|')) {
      const items: RegexItem[] = [];
      tree.push(items);
      const next = this.#sequence(depth, items);
      all = {
        min: Math.min(all.min, next.min),
        size: all.size + next.size,
        repeats: Math.max(all.repeats, next.repeats),
      };
    }
    if (tree.length > 1) this.#optionalSince(first);
    return [all, tree];
  }

  #sequence(depth: number, items: RegexItem[]): Part {
    let all = nothing;
    while (this.#at < this.#text.length && !this.#sees('|') && !this.#sees(')')) {
      const first = this.#groups.length;
      const start = this.#at;
      const atom = this.#atom(depth);
      const end = this.#at;
      const text = atom?.closed ?? this.#text.slice(start, end);
      if (atom === undefined) {
        const flags = text.startsWith('(');
        items.push({ kind: flags ? 'flags' : 'place', text: flags ? text : '\\Q\\E', repeat: '', repeats: false });
        continue;
      }
      const [part, repeats] = this.#repeatPart(atom, first);
      all = { min: all.min + part.min, size: all.size + part.size, repeats: Math.max(all.repeats, part.repeats) };
      const repeat = this.#text.slice(end, this.#at);
      // The engine requires the first bytes of a repeated non-ASCII character, even where it may be
      // absent. For a set of characters it does not.
      const written = { text: repeat !== '' && NOT_ASCII.test(text) ? `[${text}]` : text, repeat, repeats };
      if (atom.group !== undefined) items.push({ kind: 'group', ...written, ...atom.group });
      else items.push({ kind: atom === nothing ? 'place' : 'text', ...written });
    }
    return all;
  }

  #optionalSince(first: number): void {
    for (const group of this.#groups.slice(first)) group.always = false;
  }

  /**
   * The part with the repeat that follows it, and whether the repeat lets it match more than once.
   */
  #repeatPart(part: Part, firstGroup: number): [Part, boolean] {
    const counted = REPEAT.exec(this.#text.slice(this.#at, this.#at + 24));
    if (counted === null) return [part, false];
    const [sign, low, comma, high] = counted;
    this.#at += sign.length;
    this.#skip('?');
    if (REPEAT.test(this.#text.slice(this.#at, this.#at + 24)))
      throw new RegexProblem(`nothing to repeat for ${this.#text[this.#at]}`);
    const min = low === undefined ? (sign === '+' ? 1 : 0) : Number(low);
    const max = low === undefined ? 1 : Math.max(min, high === undefined || high === '' ? min : Number(high));
    if (comma !== undefined && high !== '' && Number(high) < min)
      throw new RegexProblem(`${sign} ends before it begins`);
    const repeats = part.repeats * Math.max(1, max);
    if (repeats > MAX_REPEAT) throw new RegexProblem(`${sign} repeats more than ${MAX_REPEAT} times`);
    if (min === 0) this.#optionalSince(firstGroup);
    const unbounded = low === undefined ? sign !== '?' : comma !== undefined && high === '';
    return [{ min: part.min * min, size: part.size * Math.max(1, max) + 2, repeats }, unbounded || max > 1];
  }

  /**
   * Parses one atom; undefined for one that only sets flags or quotes nothing, and cannot be
   * repeated.
   */
  #atom(depth: number): Part | undefined {
    const char = this.#text[this.#at]!;
    switch (char) {
      case '(':
        return this.#group(depth);
      case '[':
        return this.#characters(readSet(this.#text.slice(this.#at)));
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new RegexProblem(`nothing to repeat for ${char}`);
      case '^':
      case '$':
        this.#at++;
        this.#looksAround = true;
        return nothing;
      case '.':
        this.#at++;
        return oneOfMany;
      default:
        if (COUNTED.test(this.#text.slice(this.#at, this.#at + 24)))
          throw new RegexProblem(`nothing to repeat for ${char}`);
        this.#at += String.fromCodePoint(this.#text.codePointAt(this.#at)!).length;
        return oneChar;
    }
  }

  #group(depth: number): Part | undefined {
    this.#at++;
    if (!this.#skip('?')) return this.#captureGroup('(', undefined, depth);
    const rest = this.#text.slice(this.#at);
    const named = /^P?<([A-Za-z_][A-Za-z0-9_]*)>/.exec(rest);
    if (named !== null) {
      this.#at += named[0].length;
      if (this.#groups.some((group) => group.name === named[1]))
        throw new RegexProblem(`two groups are named ${named[1]}`);
      return this.#captureGroup(`(?${named[0]}`, named[1], depth);
    }
    const around = /^<?[=!]/.exec(rest);
    if (around !== null)
      throw new RegexProblem(`no look-around ((?${around[0]}…); match more and extract the part you need`);
    const flags = /^([imsU]*(?:-[imsU]+)?)([:)])/.exec(rest);
    if (flags === null) throw new RegexProblem(`(?${rest.slice(0, 1)} is no kind of group`);
    this.#at += flags[0].length;
    if (flags[2] === ')') {
      if (flags[1] === '') throw new RegexProblem('(?) sets no flag');
      return undefined;
    }
    const [inside, tree] = this.#alternatives(depth + 1);
    this.#close();
    return { ...inside, group: { captures: false, opening: `(?${flags[0]}`, tree } };
  }

  #captureGroup(opening: string, name: string | undefined, depth: number): Part {
    const group = { ...(name === undefined ? {} : { name }), min: 0, always: true };
    this.#groups.push(group);
    const [inside, tree] = this.#alternatives(depth + 1);
    group.min = inside.min;
    this.#close();
    return { ...inside, size: inside.size + 2, group: { captures: true, opening, tree } };
  }

  #close(): void {
    if (!this.#skip(')')) throw new RegexProblem('a ( has no )');
  }

  #escape(): Part | undefined {
    const rest = this.#text.slice(this.#at);
    if (rest.length < 2) throw new RegexProblem('a \\ stands at the end');
    const quoted = /^\\Q([\s\S]*?)(?:\\E|$)/.exec(rest);
    if (quoted !== null) {
      this.#at += quoted[0].length;
      if (quoted[1] === '') return undefined;
      const text = quoted[1] ?? '';
      return { ...nothing, min: [...text].length, size: 2 * text.length, closed: `\\Q${text}\\E` };
    }
    if (/^\\[AzbB]/.test(rest)) {
      this.#at += 2;
      this.#looksAround = true;
      return nothing;
    }
    if (rest.startsWith('\\C')) {
      this.#at += 2;
      return oneChar;
    }
    return this.#characters(readEscape(rest));
  }

  #characters({ length, size }: Characters): Part {
    this.#at += length;
    return { min: 1, size, repeats: 1 };
  }

  #sees(char: string): boolean {
    return this.#text[this.#at] === char;
  }

  #skip(char: string): boolean {
    if (!this.#sees(char)) return false;
    this.#at++;
    return true;
  }
}
