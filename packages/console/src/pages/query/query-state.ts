import { useLocation } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { pack, packedText } from '../../data/packed-text.js';
import { setTaste, useTaste } from '../../data/taste.js';
import { isZone } from '../../data/time/zones.js';
import { asked, choiceParam, flagParam, listParam, type StateOf, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';

export const views = ['auto', 'log', 'table', 'json', 'chart', 'patterns', 'spotlight'] as const;
export type View = (typeof views)[number];

export const queryParams = {
  q: asked(textParam()),
  from: asked(textParam('now-1h')),
  to: asked(textParam('now')),
  /**
   * Rows that arrived after this position are left out: what a pinned link shows does not change.
   */
  asof: asked(textParam()),
  tz: textParam(),
  v: choiceParam(views, 'auto'),
  c: listParam(),
  /** A sort of the loaded rows: `field`, or `-field` for the largest first. */
  s: textParam(),
  /** The field by which the histogram is split; `-` for none. */
  by: textParam(),
  wrap: flagParam(),
  /**
   * What Spotlight compares: the condition that selects, with what (`before`, or another
   * condition), and fields beyond `*`.
   */
  sel: asked(textParam()),
  base: asked(textParam()),
  with: listParam(),
  /** Asks again every so often. */
  every: choiceParam(['off', '5s', '15s', '1m'], 'off'),
  /** The cursor or the number of the row that is open. */
  row: textParam(),
  tab: textParam('fields'),
};

export type QueryState = StateOf<typeof queryParams>;

/** From here on a query moves to the fragment: the server refuses long URLs. */
const PACKED_FROM = 6 * 1024;

export interface QueryStateAccess {
  readonly state: QueryState;
  /** The viewer's zone, unless the link says another. */
  readonly zone: string;
  readonly change: (change: Partial<QueryState>) => void;
  /** Asks something else; what belonged to the old rows is dropped. */
  readonly ask: (change: Partial<Pick<QueryState, 'q' | 'from' | 'to' | 'asof'>>) => void;
}

export function useQueryState(): QueryStateAccess {
  const [raw, changeRaw] = useUrlState(queryParams);
  const hash = useLocation({ select: (location) => location.hash });
  const taste = useTaste();
  const q = packedText(hash) ?? raw.q;
  const state = useMemo(() => ({ ...raw, q }), [raw, q]);
  const zone = state.tz !== '' && isZone(state.tz) ? state.tz : taste.zone;
  const change = useCallback((next: Partial<QueryState>) => changeRaw(next), [changeRaw]);
  const ask = useCallback(
    (next: Partial<QueryState>) => {
      const { q: text } = next;
      const all = { row: '', s: '', ...next };
      if (text === undefined) changeRaw(all);
      else if (text.length < PACKED_FROM) changeRaw(all, '');
      else void pack(text).then((fragment) => changeRaw({ ...all, q: '' }, fragment));
      if (text !== undefined && text !== '') setTaste({ lastQuery: text.slice(0, PACKED_FROM) });
    },
    [changeRaw],
  );
  return { state, zone, change, ask };
}
