import type { ReceivedEvent } from './event.js';
import type { Comparison } from './pattern.js';

/** An event beside a pattern. */
export interface Candidate {
  readonly received: ReceivedEvent;
  readonly comparisons: readonly Comparison[];
}

export const isMatch = ({ comparisons }: Candidate): boolean => comparisons.every(({ matches }) => matches);

/** The candidates that differ least, of equal ones the newest. */
export const findNearest = (candidates: readonly Candidate[], max: number): readonly Candidate[] =>
  candidates
    .map((candidate, place) => ({ candidate, place, score: scoreOf(candidate) }))
    .sort((a, b) => b.score - a.score || b.place - a.place)
    .slice(0, max)
    .map(({ candidate }) => candidate);

const scoreOf = ({ comparisons }: Candidate): number =>
  comparisons.reduce((score, comparison) => score + similarity(comparison), 0);

/** From 0 to 1. */
function similarity({ matches, expected, actual }: Comparison): number {
  if (matches) return 1;
  if (actual === undefined) return 0;
  const text = expected instanceof RegExp ? expected.source : expected;
  if (typeof text !== 'string' || typeof actual !== 'string') return typeof expected === typeof actual ? 0.2 : 0.1;
  return 0.1 + 0.8 * sharedPairs(text.toLowerCase(), actual.toLowerCase());
}

/** Dice coefficient: the share of pairs of characters that two texts have in common. */
function sharedPairs(a: string, b: string): number {
  const [first, second] = [pairsOf(a), pairsOf(b)];
  if (first.size + second.size === 0) return 0;
  return (2 * [...first].filter((pair) => second.has(pair)).length) / (first.size + second.size);
}

const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2)));

/** The name that was probably meant: it differs in case or in few characters after the last dot. */
export function similarName(name: string, others: readonly string[]): string | undefined {
  const best = others
    .map((other) => ({
      other,
      score: Math.min(sharedPairs(name, other), sharedPairs(...stripCommonPrefix(name, other))),
    }))
    .sort((a, b) => b.score - a.score)[0];
  return best !== undefined && best.score >= 0.4 ? best.other : undefined;
}

/** Two names without the dotted parts that both begin with. */
function stripCommonPrefix(name: string, other: string): readonly [string, string] {
  const [a, b] = [name.toLowerCase().split('.'), other.toLowerCase().split('.')];
  while (a.length > 1 && b.length > 1 && a[0] === b[0]) [a, b].forEach((parts) => parts.shift());
  return [a.join('.'), b.join('.')];
}
