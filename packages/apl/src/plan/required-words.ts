import type { WordSets } from '@millrace/sql';
import { constantText } from './scalar.js';
import type { CallScalar, ColumnId, Scalar } from './scalar.js';

/**
 * Consequence of a true string test: one of the texts contains all words of one of the sets, split
 * as in `lower/strings/words.ts`.
 */
export interface RequiredWords {
  readonly texts: readonly Scalar[];
  readonly sets: WordSets;
}

/** Maximum alternatives in an index lookup. */
const maxAlternatives = 8;

/**
 * The words that every row that satisfies a condition contains, as alternatives: each row has all
 * words of at least one. Undefined if nothing is known.
 * @param isStored whether a column is a string, array or object as it is stored
 */
export function requiredWords(scalar: Scalar, isStored: (id: ColumnId) => boolean): WordSets | undefined {
  if (scalar.kind !== 'call') return undefined;
  const parts = (): readonly (WordSets | undefined)[] => scalar.args.map((arg) => requiredWords(arg, isStored));
  if (scalar.name === 'and') return bothOf(parts());
  if (scalar.name === 'or') return eitherOf(parts());
  const wanted = scalar.overload.wants?.(scalar.args);
  if (wanted === undefined || !wanted.texts.every((text) => isStoredText(text, isStored))) return undefined;
  return limitSets(wanted.sets);
}

/** Whether a value is the text of something stored, or missing. */
function isStoredText(scalar: Scalar, isStored: (id: ColumnId) => boolean): boolean {
  switch (scalar.kind) {
    case 'column':
      return isStored(scalar.id);
    case 'convert':
      return scalar.type === 'string' && isStoredText(scalar.operand, isStored);
    case 'call':
      return textCalls.has(scalar.name) && scalar.args.every((arg) => isStoredText(arg, isStored));
    case 'constant':
      return scalar.value === null;
    case 'inPlan':
    case 'scalarPlan':
      return false;
  }
}

/**
 * Calls whose result has the words of one of their arguments: the text of a value, one of several
 * values, a text in lower case.
 */
const textCalls: ReadonlySet<CallScalar['name']> = new Set(['text', 'coalesce', 'tolower']);

/**
 * Combines conditions that all hold: uses the fewest alternatives, plus the words that every row
 * must have.
 */
export function bothOf(all: readonly (WordSets | undefined)[]): WordSets | undefined {
  const known = all.flatMap((sets) => (sets === undefined ? [] : [sets])).toSorted((a, b) => a.length - b.length);
  const certain = known.flatMap((sets) => (sets.length === 1 ? sets : [])).flat();
  const open = known.find((sets) => sets.length > 1);
  if (open === undefined) return certain.length === 0 ? undefined : [[...new Set(certain)]];
  return open.map((words) => [...new Set([...certain, ...words])]);
}

function eitherOf(all: readonly (WordSets | undefined)[]): WordSets | undefined {
  const known = all.flatMap((sets) => (sets === undefined ? [] : [sets]));
  if (known.length === 0 || known.length < all.length) return undefined;
  return limitSets(known.flat());
}

/** Alternatives that say something and are few enough. */
function limitSets(sets: WordSets): WordSets | undefined {
  const different = new Map(sets.map((words) => [words.join(' '), words]));
  const isUseful = different.size > 0 && different.size <= maxAlternatives && !different.has('');
  return isUseful ? [...different.values()] : undefined;
}

/** Maximum length of lists in an index lookup. */
const maxNeedles = 32;

/** The words of a string that equals or contains another one, whose words `words` extracts. */
export function wordsOfNeedle(
  args: readonly Scalar[],
  words: (needle: string) => readonly string[],
): RequiredWords | undefined {
  const [text, ...needles] = args;
  if (needles.length > maxNeedles) return undefined;
  const known = needles.map((needle) => (needle.type === 'string' ? constantText(needle) : undefined));
  const sets = known.flatMap((needle) => (needle === undefined ? [] : [words(needle)]));
  return text === undefined || sets.length < needles.length ? undefined : { texts: [text], sets };
}
