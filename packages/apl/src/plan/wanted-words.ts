import type { WordSets } from '@millrace/sql';
import { constantText } from './scalar.js';
import type { CallScalar, ColumnId, Scalar } from './scalar.js';

/**
 * What a test says about texts: if it is true, all words of one of the sets are in one of them, as
 * `lower/texts/words.ts` divides texts.
 */
export interface WantedWords {
  readonly texts: readonly Scalar[];
  readonly sets: WordSets;
}

/** More alternatives are not looked up one by one. */
const mostAlternatives = 8;

/**
 * The words that every row has for which a condition holds, as alternatives of which each row has
 * one; undefined if nothing is known.
 * @param isStored whether a column is a text, array or object as it is stored
 */
export function wantedWords(scalar: Scalar, isStored: (id: ColumnId) => boolean): WordSets | undefined {
  if (scalar.kind !== 'call') return undefined;
  const parts = (): readonly (WordSets | undefined)[] => scalar.args.map((arg) => wantedWords(arg, isStored));
  if (scalar.name === 'and') return bothOf(parts());
  if (scalar.name === 'or') return eitherOf(parts());
  const wanted = scalar.overload.wants?.(scalar.args);
  if (wanted === undefined || !wanted.texts.every((text) => isStoredText(text, isStored))) return undefined;
  return limited(wanted.sets);
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

/** All of them hold: that with the fewest alternatives is enough, together with what is certain. */
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
  return limited(known.flat());
}

/** Alternatives that say something and are few enough. */
function limited(sets: WordSets): WordSets | undefined {
  const different = new Map(sets.map((words) => [words.join(' '), words]));
  const isUseful = different.size > 0 && different.size <= mostAlternatives && !different.has('');
  return isUseful ? [...different.values()] : undefined;
}

/** Of longer lists nothing is looked up. */
const mostNeedles = 32;

/**
 * What is known about a text that equals or contains another one, which has the words that `words`
 * finds in it.
 */
export function wordsOfNeedle(
  args: readonly Scalar[],
  words: (needle: string) => readonly string[],
): WantedWords | undefined {
  const [text, ...needles] = args;
  if (needles.length > mostNeedles) return undefined;
  const known = needles.map((needle) => (needle.type === 'string' ? constantText(needle) : undefined));
  const sets = known.flatMap((needle) => (needle === undefined ? [] : [words(needle)]));
  return text === undefined || sets.length < needles.length ? undefined : { texts: [text], sets };
}
