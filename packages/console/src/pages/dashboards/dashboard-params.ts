import { useMemo, useRef } from 'react';
import { queryParam, flagParam, listParam, type Params, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { usePreferences } from '../../data/preferences.js';
import { isZone } from '../../data/time/zones.js';
import type { Range } from '../../data/time/ranges.js';
import { type Condition, conditionOf, conditionParam } from './document/conditions.js';
import { type BoardDocument, type Chart, queryOf, rangeOfWindow, textMember } from './document/document.js';
import { chosenValues } from './document/field-filters.js';
import { defaultsOf, type FilterTexts, filterValues } from './document/filters.js';
import { type DashboardState, optionsQuery } from './element-queries.js';
import { tvParams } from './tv/tv-params.js';
import type { ElementQueryState } from './query-runner.js';
import { oneText, repeatedFilterOf, type Repeats, repeatsOf } from './repeats.js';
import { filteredKey, type FilterRequest, useFilteredQueries } from './use-conditional-value.js';

const fixedParams = {
  /** Empty: those of the document. */
  from: queryParam(textParam()),
  to: queryParam(textParam()),
  tz: textParam(),
  /** `-1d`; `off`; empty: the document's comparison. */
  cmp: queryParam(textParam()),
  edit: flagParam(),
  /** Conditions added by clicks. */
  only: queryParam(listParam()),
  /** Whether charts show annotations. */
  marks: flagParam(true),
  /** A query to add as an element, the element's kind, and `mpl` if it is in MPL. */
  add: textParam(),
  as: textParam(),
  lang: textParam(),
  ...tvParams,
};

const FILTER = 'f.';

/** Address parameter of a filter: `f.<id>`. */
const paramsFor = (defaults: FilterTexts): Params & typeof fixedParams => ({
  ...fixedParams,
  ...Object.fromEntries(
    Object.entries(defaults).map(([id, value]) => [`${FILTER}${id}`, queryParam(textParam(value))]),
  ),
});

/** Values of repeated elements; the same object until they change. */
function useRepeats(...[charts, texts, answerOf]: Parameters<typeof repeatsOf>): Repeats {
  const found = repeatsOf(charts, texts, answerOf);
  const latest = useRef(found);
  if (JSON.stringify([...found]) !== JSON.stringify([...latest.current])) latest.current = found;
  return latest.current;
}

/** The queries of all elements, with the values chosen for each. */
function filterRequests(charts: readonly Chart[], texts: FilterTexts, repeats: Repeats): readonly FilterRequest[] {
  const chosen = chosenValues(charts, texts);
  return charts.flatMap((chart): readonly FilterRequest[] => {
    const query = queryOf(chart);
    if (!('apl' in query)) return [];
    const { apl } = query;
    const repeated = repeatedFilterOf(chart, repeats);
    if (repeated === undefined) return [{ key: filteredKey(apl), apl, chosen }];
    const { filter, values } = repeated;
    return values.map((value) => ({
      key: filteredKey(apl, { id: filter.id, value }),
      apl,
      chosen: chosenValues(charts, { ...texts, [filter.id]: oneText(filter, value) }),
    }));
  });
}

/** Effective state of a dashboard, from address and document. */
export function useBoardParams(document: BoardDocument, states: ReadonlyMap<string, ElementQueryState>) {
  const { charts, timeWindowStart, timeWindowEnd } = document;
  const defaults = useMemo(() => defaultsOf(charts), [charts]);
  const params = useMemo(() => paramsFor(defaults), [defaults]);
  const [state, change] = useUrlState(params);
  const preferences = usePreferences();
  const against = state.cmp === 'off' ? '' : state.cmp !== '' ? state.cmp : (textMember(document, 'against') ?? '');
  const all = state as Readonly<Record<string, unknown>>;
  const valuesText = JSON.stringify(Object.keys(defaults).map((id) => [id, all[`${FILTER}${id}`]]));
  const own = rangeOfWindow(timeWindowStart, timeWindowEnd);
  const [from, to] = [state.from !== '' ? state.from : own.from, state.to !== '' ? state.to : own.to];
  const onlyText = JSON.stringify(state.only);
  const conditions = useMemo(
    () => (JSON.parse(onlyText) as readonly string[]).flatMap((each) => conditionOf(each) ?? []),
    [onlyText],
  );
  const texts: FilterTexts = useMemo(
    () => Object.fromEntries(JSON.parse(valuesText) as readonly (readonly [string, string])[]),
    [valuesText],
  );
  const values = useMemo(() => filterValues(charts, texts), [charts, texts]);
  const chosen = useMemo(() => chosenValues(charts, texts), [charts, texts]);
  const repeats = useRepeats(
    charts,
    texts,
    (filter) => states.get(optionsQuery(filter, { range: { from, to }, values })?.key ?? '')?.answer,
  );
  const requests = useMemo(() => filterRequests(charts, texts, repeats), [charts, texts, repeats]);
  const filteredQueries = useFilteredQueries(requests, conditions);
  const asking: DashboardState = useMemo(
    () => ({
      range: { from, to },
      against,
      values,
      repeats,
      filteredQueries,
    }),
    [from, to, against, values, repeats, filteredQueries],
  );
  return {
    asking,
    filterTexts: texts,
    zone: state.tz !== '' && isZone(state.tz) ? state.tz : preferences.zone,
    edit: state.edit && !state.tv,
    setEdit: (edit: boolean) => change({ edit }),
    setRange: ({ from, to }: Range) => change({ from, to }),
    setAgainst: (cmp: string) => change({ cmp: cmp === '' ? 'off' : cmp }),
    setFilter: (id: string, value: string) => change({ [`${FILTER}${id}`]: value } as Partial<typeof state>),
    setZone: () => change({ tz: '' }),
    conditions,
    /** Whether conditions or filters over fields are active. */
    isFiltered: conditions.length + chosen.length > 0,
    setConditions: (next: readonly Condition[]) => change({ only: next.map(conditionParam) }),
    marks: state.marks,
    setMarks: (marks: boolean) => change({ marks }),
    added: { text: state.add, as: state.as, language: state.lang === 'mpl' ? 'mpl' : 'apl' },
    /** Range and time zone in the address. */
    rangeSearch: Object.fromEntries(
      Object.entries({ from: state.from, to: state.to, tz: state.tz }).filter(([, value]) => value !== ''),
    ),
    leaveTv: () => change({ tv: false, rotate: [], every: tvParams.every.fallback }),
    forgetAdded: () => change({ add: '', as: '', lang: '', edit: true }),
  };
}
