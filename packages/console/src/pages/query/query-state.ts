import { useLocation } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { pack, packedText } from '../../data/address/compressed-text.js';
import { setPreferences, usePreferences } from '../../data/preferences.js';
import { isZone } from '../../data/time/zones.js';
import { queryParam, choiceParam, flagParam, listParam, type StateOf, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';

export const views = ['auto', 'log', 'table', 'json', 'chart', 'patterns', 'spotlight'] as const;
export type View = (typeof views)[number];
/** A view that is shown; `auto` stands for the one that fits the result. */
export type ShownView = Exclude<View, 'auto'>;

export const chartKinds = ['auto', 'line', 'area', 'bar', 'scatter'] as const;

export const queryParams = {
  q: queryParam(textParam()),
  from: queryParam(textParam('now-1h')),
  to: queryParam(textParam('now')),
  /**
   * Excludes rows that arrived after this position: the result of a pinned link does not change.
   */
  asof: queryParam(textParam()),
  tz: textParam(),
  v: choiceParam(views, 'auto'),
  c: listParam(),
  /** Client-side sort: `field`, or `-field` for descending. */
  s: textParam(),
  /** Field that splits the histogram; `-` for none. */
  by: textParam(),
  wrap: flagParam(),
  /**
   * Spotlight: the selecting condition, the baseline (`before`, or another condition), and fields
   * beyond `*`.
   */
  sel: queryParam(textParam()),
  base: queryParam(textParam()),
  with: listParam(),
  /** Refresh interval. */
  every: choiceParam(['off', '5s', '15s', '1m'], 'off'),
  /** Cursor or number of the open row. */
  row: textParam(),
  tab: textParam('fields'),
  /** How a chart is drawn; `auto` follows `render` and the shape of the result. */
  kind: choiceParam(chartKinds, 'auto'),
  stack: choiceParam(['auto', 'on', 'off'], 'auto'),
  unit: textParam(),
  digits: choiceParam(['', '0', '1', '2', '3', '4'], ''),
  legend: choiceParam(['names', 'numbers'], 'names'),
};

export type QueryState = StateOf<typeof queryParams>;

/** Longer queries move to the fragment: the server rejects long URLs. */
const PACKED_FROM = 6 * 1024;

export interface QueryStateAccess {
  readonly state: QueryState;
  /** The viewer's zone, unless the link has one. */
  readonly zone: string;
  readonly change: (change: Partial<QueryState>) => void;
  /** Changes the query; drops state of the old rows. */
  readonly ask: (change: Partial<Pick<QueryState, 'q' | 'from' | 'to' | 'asof'>>) => void;
}

export function useQueryState(): QueryStateAccess {
  const [raw, changeRaw] = useUrlState(queryParams);
  const hash = useLocation({ select: (location) => location.hash });
  const preferences = usePreferences();
  const q = packedText(hash) ?? raw.q;
  const state = useMemo(() => ({ ...raw, q }), [raw, q]);
  const zone = state.tz !== '' && isZone(state.tz) ? state.tz : preferences.zone;
  const change = useCallback((next: Partial<QueryState>) => changeRaw(next), [changeRaw]);
  const ask = useCallback(
    (next: Partial<QueryState>) => {
      const { q: text } = next;
      const all = { row: '', s: '', ...next };
      if (text === undefined) changeRaw(all);
      else if (text.length < PACKED_FROM) changeRaw(all, '');
      else void pack(text).then((fragment) => changeRaw({ ...all, q: '' }, fragment));
      if (text !== undefined && text !== '') setPreferences({ lastQuery: text.slice(0, PACKED_FROM) });
    },
    [changeRaw],
  );
  return useMemo(() => ({ state, zone, change, ask }), [state, zone, change, ask]);
}
