import { parsePhysicalName } from '@millrace/events';
import type { MayHave, WordSets } from '@millrace/sql';
import { mayOccurIn } from './column-hash.js';
import { mergeSpans, type TimeSpan } from './time-spans.js';
import type { Occurrence } from './term-table.js';

/** Where events with the terms of one of some sets can be. */
export interface TermLookup<Times = readonly TimeSpan[] | 'everywhere'> {
  /** All times of such events; `everywhere` if reading only these times is not worth it. */
  readonly stretches: Times;
  /** Whether one of these events may have all of some terms in a column. */
  readonly mayHave: MayHave;
}

/**
 * @param spans for each set those in which all of its terms occur
 * @param uncovered times of events that are not indexed
 */
export function lookUpWords(
  sets: WordSets,
  spans: readonly (readonly Occurrence[])[],
  uncovered: readonly TimeSpan[],
): TermLookup<readonly TimeSpan[]> {
  return {
    stretches: mergeSpans([...spans.flat().map(({ stretch }) => stretch), ...uncovered]),
    mayHave: (column, words) => {
      // The terms of other columns are unknown.
      if (uncovered.length > 0 || parsePhysicalName(column)?.type !== 'string') return true;
      // A text with all of the terms has those of a set that is part of them.
      const part = sets.findIndex((set) => set.every((word) => words.includes(word)));
      if (part >= 0) return spans[part]!.some(({ places }) => mayOccurIn(places, column));
      return sets.some((set, i) => {
        const at = words.map((word) => set.indexOf(word));
        return spans[i]!.some(
          ({ places }) =>
            at.includes(-1) ||
            mayOccurIn(
              at.map((one) => places[one]!),
              column,
            ),
        );
      });
    },
  };
}
