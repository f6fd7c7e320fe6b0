import { fieldText } from '../../../data/apl-text.js';
import type { Cell } from '../../../data/answers/cells.js';
import { instantText, parseInstant } from '../../../data/time/instants.js';
import type { Bounds } from '../../../data/time/ranges.js';

/**
 * What differs between the events that a condition selects and others: how it is asked, and what
 * the answer says.
 */

/** In the address: the events of the same length of time before the selection. */
export const BEFORE = 'before';

const TIME = /^_time between \(datetime\((.+?)\) \.\. datetime\((.+?)\)\)$/;

/** The time that a condition names, if that is all it says. */
export function boundsOfCondition(condition: string): Bounds | undefined {
  const [, from = '', to = ''] = TIME.exec(condition) ?? [];
  const [start, end] = [parseInstant(from), parseInstant(to)];
  return start === undefined || end === undefined ? undefined : { start, end };
}

interface Asked {
  /** The part of the query whose rows are events. */
  readonly events: string;
  readonly from: string;
  readonly to: string;
  /** The condition that selects. */
  readonly selection: string;
  /** What with: everything else if empty, `before`, or another condition. */
  readonly base: string;
  /** Fields beyond those that `*` stands for. */
  readonly more: readonly string[];
}

interface Comparison {
  readonly apl: string;
  readonly from: string;
  readonly to: string;
}

/** The events to compare, and over which time. */
function compared({ events, from, to, selection, base }: Asked): Comparison {
  const bounds = boundsOfCondition(selection);
  if (base === BEFORE && bounds !== undefined) {
    const { start, end } = bounds;
    const earlier = instantText(start - (end - start));
    return {
      apl: `${events}\n| where _time between (datetime(${earlier}) .. datetime(${instantText(end)}))`,
      from: earlier,
      to: instantText(end + 1n),
    };
  }
  return { apl: base === '' || base === BEFORE ? events : `${events}\n| where (${selection}) or (${base})`, from, to };
}

export function comparisonOf(asked: Asked): Comparison {
  const { apl, ...range } = compared(asked);
  const fields = ['*', ...asked.more.map(fieldText)].join(', ');
  const sums = `selected = countif(${asked.selection}), total = count()`;
  return { apl: `${apl}\n| summarize ${sums}, differences = spotlight(${asked.selection}, ${fields})`, ...range };
}

const QUARTILES = '5, 25, 50, 75, 95';

/** The distributions of some numbers on both sides, two columns for each field. */
export function distributionsOf(asked: Asked, fields: readonly string[]): Comparison {
  const { apl, ...range } = compared(asked);
  const columns = fields.flatMap((field, index) => [
    `s${index} = percentiles_arrayif(${fieldText(field)}, ${QUARTILES}, ${asked.selection})`,
    `o${index} = percentiles_arrayif(${fieldText(field)}, ${QUARTILES}, not(${asked.selection}))`,
  ]);
  return { apl: `${apl}\n| summarize ${columns.join(', ')}`, ...range };
}

interface Difference {
  readonly value: string;
  readonly selected: number;
  readonly others: number;
}

type Certainty = 'certain' | 'likely' | 'weak';

export interface FieldDifference {
  readonly field: string;
  /**
   * From 0, the same on both sides; 1 means that no value is on both. Numbers can differ by more.
   */
  readonly score: number;
  readonly certainty: Certainty;
  readonly kind: 'values' | 'numbers';
  /**
   * Of numbers: how much larger the middle of the selected ones is, as a share of that of the
   * others.
   */
  readonly medianChange: number | undefined;
  readonly values: readonly Difference[];
}

export interface Spotlight {
  readonly selected: number;
  readonly others: number;
  /** What differs, most first. */
  readonly different: readonly FieldDifference[];
  /** Fields that the selection is made of: they differ of course. */
  readonly explained: readonly string[];
  /** Fields without a difference, or with another value in every event. */
  readonly alike: readonly string[];
}

interface Score {
  readonly p_value: number | null;
  readonly delta_score: number | null;
  readonly median_relative_change: number | null;
  readonly differences: readonly {
    readonly value: unknown;
    readonly comparison_count: number;
    readonly baseline_count: number;
  }[];
}

/** Less than this nobody would see. */
const LEAST_SCORE = 0.02;
const MOST_P = 0.05;

/**
 * So many values that the selection has once each: they tell one event from another, not two sides.
 * The counts of rare values are estimates.
 */
const FEWEST_IDS = 4;
const areIds = (differences: Score['differences']): boolean =>
  differences.length >= FEWEST_IDS && differences.every(({ comparison_count: selected }) => selected <= 1);

const certaintyOf = (p: number): Certainty => (p < 0.001 ? 'certain' : p < 0.01 ? 'likely' : 'weak');

/** Whether a condition names a field; a longer name that begins with it is another one. */
const names = (condition: string, field: string): boolean => {
  const text = fieldText(field);
  for (let at = condition.indexOf(text); at >= 0; at = condition.indexOf(text, at + 1)) {
    const [before, after] = [condition[at - 1] ?? ' ', condition[at + text.length] ?? ' '];
    if (!/[\w.]/.test(before) && !/[\w.]/.test(after)) return true;
  }
  return false;
};

export function spotlightOf(
  json: string,
  counts: { readonly selected: number; readonly total: number },
  conditions: string,
): Spotlight {
  const scores = Object.entries(JSON.parse(json) as Readonly<Record<string, Score>>).filter(
    ([field]) => field !== '_time' && field !== '_sysTime',
  );
  const explained = scores.filter(([field]) => names(conditions, field)).map(([field]) => field);
  const rest = scores.filter(([field]) => !explained.includes(field));
  const tells = ([, { p_value: p, delta_score: score, differences }]: (typeof scores)[number]): boolean =>
    (score ?? 0) >= LEAST_SCORE && (p ?? 1) < MOST_P && !areIds(differences);
  return {
    selected: counts.selected,
    others: counts.total - counts.selected,
    different: rest
      .filter(tells)
      .map(([field, { p_value: p, delta_score: score, median_relative_change: change, differences }]) => ({
        field,
        score: score ?? 0,
        certainty: certaintyOf(p ?? 1),
        kind: differences.length > 0 ? ('values' as const) : ('numbers' as const),
        medianChange: change ?? undefined,
        values: differences.map(({ value, comparison_count: selected, baseline_count: others }) => ({
          value: typeof value === 'string' ? value : JSON.stringify(value),
          selected,
          others,
        })),
      }))
      .toSorted((a, b) => b.score - a.score),
    explained,
    alike: rest.filter((each) => !tells(each)).map(([field]) => field),
  };
}

/** A value as events have it: the comparison names all of them as texts. */
export function cellOfValue(value: string, type: string): Cell {
  if (value === 'null') return null;
  if (type === 'boolean') return value === 'true';
  const number = Number(value);
  return type === 'integer' && Number.isSafeInteger(number) ? number : value;
}

/** The selection in words. */
export const inWords = (base: string): string =>
  base === '' ? 'the rest of the range' : base === BEFORE ? 'the same time before' : base;
