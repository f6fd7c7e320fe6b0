import { useState } from 'react';
import type { RangeAction } from '../../charts/histogram-selection.js';
import { type Bounds, rangeOf } from '../../data/time/ranges.js';
import { withCondition } from '../../editor/edits.js';
import type { Outline } from '../../editor/outline.js';
import type { QueryStateAccess } from './query-state.js';
import { timeCondition } from '../../data/time/time-condition.js';

/** Actions on a selected part of the range. */
export function useRangeActions(
  { state, ask }: QueryStateAccess,
  outline: Outline | undefined,
  { run, compare }: { readonly run: (text: string) => void; readonly compare: (condition: string) => void },
) {
  const [annotating, setAnnotating] = useState<Bounds>();
  const actions: readonly RangeAction[] = [
    { id: 'zoom', title: 'Zoom', key: 'Enter', run: (bounds) => ask(rangeOf(bounds)) },
    { id: 'compare', title: 'Compare this', key: 'x', run: (bounds) => compare(timeCondition(bounds)) },
    {
      id: 'only',
      title: 'Show only',
      key: 'o',
      run: (bounds) => outline !== undefined && run(withCondition(state.q, outline, timeCondition(bounds))),
    },
    { id: 'annotate', title: 'Annotate', key: 'a', run: setAnnotating },
  ];
  return { actions, annotating, stopAnnotating: () => setAnnotating(undefined) };
}
