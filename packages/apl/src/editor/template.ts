import { JOIN_KINDS } from '../syntax/operators/join.js';
import { chartKinds } from '../syntax/lexing/keywords.js';
import type { Keyword } from '../syntax/lexing/keywords.js';
import { typeNames } from '../syntax/names.js';

/** Kinds of possible input. */
export type InputKind = 'aggregate' | 'function' | 'field' | 'value' | 'dataset';

/** A part of an operator: the input after its name or one of its words. */
export interface Slot {
  /** The word before the part; empty for the part after the operator's name. */
  readonly word: string;
  readonly expects: readonly InputKind[];
  /** Possible input inside the round brackets of the part. */
  readonly inside: readonly InputKind[];
  /** Words that may stand here, such as the types after `typeof`. */
  readonly choices: readonly string[];
  /** Whether the part is a list, so that a comma leads back to its beginning. */
  readonly list: boolean;
}

/** The syntax of an operator, parsed from the `syntax` of its keyword, which is also displayed. */
export interface Template {
  /** The first is the part after the operator's name. */
  readonly slots: readonly Slot[];
  /**
   * Words between the parts, in order, such as `by`; each with the word it has to follow, if any,
   * as `first` follows `nulls`.
   */
  readonly words: ReadonlyMap<string, string | undefined>;
  /**
   * Options by the word before their `=`: the values that may follow it, and the part the option
   * belongs to.
   */
  readonly options: ReadonlyMap<string, Option>;
}

interface Option {
  readonly values: readonly string[];
  readonly word: string;
}

const expression = ['field', 'function', 'value'] as const;
const constant = ['function', 'value'] as const;

/** Meaning of the capitalized words of a syntax. */
const placeholders: Readonly<Record<string, readonly InputKind[]>> = {
  ...Object.fromEntries(
    ['Expr', 'Predicate', 'Condition', 'Group', 'Time', 'Column'].map((name) => [name, expression]),
  ),
  ...Object.fromEntries(
    ['N', 'A', 'B', 'S', 'V', 'Value', 'Default', 'Fraction', 'Regex'].map((name) => [name, constant]),
  ),
  ...Object.fromEntries(['Pattern', 'Old', 'Field'].map((name) => [name, ['field']])),
  ...Object.fromEntries(['Table', 'Dataset'].map((name) => [name, ['dataset']])),
  ...Object.fromEntries(
    [
      'Name',
      'New',
      'Key',
      'Kind',
      'Chart',
      'Type',
      'T',
      'Property',
      'Prefix',
      'Conflict',
      'Ignored',
      'URL',
      'Operator',
    ].map((name) => [name, []]),
  ),
  Agg: ['aggregate', 'function', 'value'],
};

const choices: Readonly<Record<string, readonly string[]>> = {
  Kind: [...JOIN_KINDS.keys()],
  Chart: chartKinds,
  Type: [...typeNames.keys()],
  T: [...typeNames.keys()],
};

interface OpenSlot {
  readonly word: string;
  readonly depth: number;
  readonly expects: Set<InputKind>;
  readonly inside: Set<InputKind>;
  readonly choices: string[];
  list: boolean;
}

/**
 * Reads the syntax of a keyword, such as `top N by Expr [asc|desc]`. Throws on a capitalised word
 * it does not know.
 */
export function templateOf({ name, syntax }: Keyword): Template {
  const parts = syntax.slice(name.length).match(/"[^"]*"|[A-Za-z_][A-Za-z0-9_]*(?:-[a-z]+)*|\S/g) ?? [];
  const open = (word: string, depth: number): OpenSlot => ({
    word,
    depth,
    expects: new Set(),
    inside: new Set(),
    choices: [],
    list: false,
  });
  const slots = [open('', 0)];
  const words = new Map<string, string | undefined>();
  const options = new Map<string, Option>();
  let depth = 0;
  let brackets = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    const slot = slots.at(-1)!;
    if (part === '[') depth++;
    else if (part === ']') depth--;
    else if (part === '(') brackets++;
    else if (part === ')') brackets--;
    else if (part === '…' && parts[i - 1] === ',') outer(slots, depth).list = true;
    else if (/^[A-Z]/.test(part)) {
      // After an optional part, the placeholder also belongs to the part before, as the optional
      // one may be missing.
      for (const at of new Set([slot, outer(slots, depth)])) {
        for (const expected of meaningOf(part)) (brackets > 0 ? at.inside : at.expects).add(expected);
      }
      slot.choices.push(...(choices[part] ?? []));
    } else if (/^[a-z_]/.test(part) && parts[i + 1] === '=') {
      const values: string[] = [];
      for (i += 2; /^[A-Za-z_]/.test(parts[i] ?? ''); i += 2) {
        const value = parts[i]!;
        values.push(...(/^[A-Z]/.test(value) ? (choices[value] ?? []) : [value]));
        if (parts[i + 1] !== '|') break;
      }
      if (!/^[A-Za-z_…]/.test(parts[i] ?? '')) i--;
      options.set(part, { values, word: slot.word });
    } else if (/^[a-z_]/.test(part)) {
      words.set(part, leader(parts, i, words));
      slots.push(open(part, depth));
    }
  }
  return { slots: slots.map(closedSlot), words, options };
}

/**
 * The word right before, which alternatives share: in `nulls first|last` it is `nulls` for both
 * `first` and `last`.
 */
function leader(
  parts: readonly string[],
  at: number,
  words: ReadonlyMap<string, string | undefined>,
): string | undefined {
  const before = parts[at - 1] ?? '';
  if (before === '|') return words.get(parts[at - 2] ?? '');
  return words.has(before) ? before : undefined;
}

/** The last part that is in no more optional brackets than `depth`. */
const outer = (slots: readonly OpenSlot[], depth: number): OpenSlot => slots.findLast((slot) => slot.depth <= depth)!;

const closedSlot = ({ word, expects, inside, choices, list }: OpenSlot): Slot => ({
  word,
  expects: [...expects],
  inside: [...inside],
  choices,
  list,
});

function meaningOf(placeholder: string): readonly InputKind[] {
  const found = placeholders[placeholder];
  if (found === undefined) throw new RangeError(`unknown placeholder in a syntax: ${placeholder}`);
  return found;
}
