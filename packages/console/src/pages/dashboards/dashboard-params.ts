import { useMemo } from 'react';
import { queryParam, flagParam, listParam, type Params, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { usePreferences } from '../../data/preferences.js';
import { isZone } from '../../data/time/zones.js';
import type { Range } from '../../data/time/ranges.js';
import { type Condition, conditionOf, conditionParam } from './document/conditions.js';
import { type BoardDocument, rangeOfWindow, textMember } from './document/document.js';
import { chosenValues } from './document/field-filters.js';
import { defaultsOf, type FilterValues } from './document/filters.js';
import type { Asking } from './element-queries.js';
import { tvParams } from './tv/tv-params.js';
import { useFilteredQueries } from './use-conditional-value.js';

const fixed = {
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
  /** A query from the Query page to add as an element, and the element's kind. */
  add: textParam(),
  as: textParam(),
  ...tvParams,
};

const FILTER = 'f.';

/** Address parameter of a filter: `f.<id>`. */
const paramsFor = (defaults: FilterValues): Params & typeof fixed => ({
  ...fixed,
  ...Object.fromEntries(
    Object.entries(defaults).map(([id, value]) => [`${FILTER}${id}`, queryParam(textParam(value))]),
  ),
});

/** Effective state of a dashboard, from address and document. */
export function useBoardParams(document: BoardDocument) {
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
  const values: FilterValues = useMemo(
    () => Object.fromEntries(JSON.parse(valuesText) as readonly (readonly [string, string])[]),
    [valuesText],
  );
  const chosen = useMemo(() => chosenValues(charts, values), [charts, values]);
  const filteredQueries = useFilteredQueries(charts, conditions, chosen);
  const asking: Asking = useMemo(
    () => ({
      range: { from, to },
      against,
      values,
      filteredQueries: filteredQueries,
    }),
    [from, to, against, values, filteredQueries],
  );
  return {
    asking,
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
    added: { apl: state.add, as: state.as },
    /** Range and time zone in the address. */
    rangeSearch: Object.fromEntries(
      Object.entries({ from: state.from, to: state.to, tz: state.tz }).filter(([, value]) => value !== ''),
    ),
    leaveTv: () => change({ tv: false, rotate: [], every: tvParams.every.fallback }),
    forgetAdded: () => change({ add: '', as: '', edit: true }),
  };
}
