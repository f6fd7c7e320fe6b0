import { parsePhysicalName } from '@millrace/events';
import type { MayHave, WordSets } from '@millrace/sql';
import { areIn } from './places.js';
import { joined, type Stretch } from './stretches.js';
import type { Occurrence } from './word-table.js';

/** Where events can be that have the words of one of some sets. */
export interface FoundWords {
  /** The only times of such events. */
  readonly stretches: readonly Stretch[];
  /** Whether one of these events may have all of some words in a column. */
  readonly mayHave: MayHave;
}

/**
 * @param spans for each set those in which all of its words occur
 * @param uncovered times of events whose words are not known
 */
export function foundWords(
  sets: WordSets,
  spans: readonly (readonly Occurrence[])[],
  uncovered: readonly Stretch[],
): FoundWords {
  return {
    stretches: joined([...spans.flat().map(({ stretch }) => stretch), ...uncovered]),
    mayHave: (column, words) => {
      // Of other columns no words are known.
      if (uncovered.length > 0 || parsePhysicalName(column)?.type !== 'string') return true;
      // A text with all of the words has those of a set that is part of them.
      const part = sets.findIndex((set) => set.every((word) => words.includes(word)));
      if (part >= 0) return spans[part]!.some(({ places }) => areIn(places, column));
      return sets.some((set, i) => {
        const at = words.map((word) => set.indexOf(word));
        return spans[i]!.some(
          ({ places }) =>
            at.includes(-1) ||
            areIn(
              at.map((one) => places[one]!),
              column,
            ),
        );
      });
    },
  };
}
