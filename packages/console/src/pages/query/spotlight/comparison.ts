import { roundedText } from '../../../data/format-units.js';
import { fieldText } from '../../../data/apl-text.js';
import type { Cell } from '../../../data/results/cells.js';
import { instantText, parseInstant } from '../../../data/time/instants.js';
import type { Bounds } from '../../../data/time/ranges.js';

/**
 * Spotlight: how the events of a condition differ from a baseline. Builds the query and interprets
 * its result.
 */

/** In the address: baseline is the same length of time before the selection. */
export const BEFORE = 'before';

const TIME = /^_time between \(datetime\((.+?)\) \.\. datetime\((.+?)\)\)$/;

/** Time range of a condition, if it has no other part. */
export function boundsOfCondition(condition: string): Bounds | undefined {
  const [, from = '', to = ''] = TIME.exec(condition) ?? [];
  const [start, end] = [parseInstant(from), parseInstant(to)];
  return start === undefined || end === undefined ? undefined : { start, end };
}

interface ComparisonRequest {
  /** The operators whose rows are events. */
  readonly events: string;
  readonly from: string;
  readonly to: string;
  /** The selecting condition. */
  readonly selection: string;
  /** Baseline: everything else if empty, `before`, or another condition. */
  readonly base: string;
  /** Fields beyond those of `*`. */
  readonly more: readonly string[];
}

interface Comparison {
  readonly apl: string;
  readonly from: string;
  readonly to: string;
}

/** The events to compare, and their time range. */
function eventsToCompare({ events, from, to, selection, base }: ComparisonRequest): Comparison {
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

export function comparisonOf(request: ComparisonRequest): Comparison {
  const { apl, ...range } = eventsToCompare(request);
  const fields = ['*', ...request.more.map(fieldText)].join(', ');
  const sums = `selected = countif(${request.selection}), total = count()`;
  return { apl: `${apl}\n| summarize ${sums}, differences = spotlight(${request.selection}, ${fields})`, ...range };
}

const QUARTILES = '5, 25, 50, 75, 95';

/** Distributions of some numbers on both sides, two columns per field. */
export function distributionsOf(request: ComparisonRequest, fields: readonly string[]): Comparison {
  const { apl, ...range } = eventsToCompare(request);
  const columns = fields.flatMap((field, index) => [
    `s${index} = percentiles_arrayif(${fieldText(field)}, ${QUARTILES}, ${request.selection})`,
    `o${index} = percentiles_arrayif(${fieldText(field)}, ${QUARTILES}, not(${request.selection}))`,
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
  /** 0 if equal on both sides; 1 if no value is on both. Numbers can exceed 1. */
  readonly score: number;
  readonly certainty: Certainty;
  readonly kind: 'values' | 'numbers';
  /** For numbers: difference of the medians relative to the baseline. */
  readonly medianChange: number | undefined;
  readonly values: readonly Difference[];
}

export interface Spotlight {
  readonly selected: number;
  readonly others: number;
  /** Differences, largest first. */
  readonly different: readonly FieldDifference[];
  /** Fields of the selecting condition, which differ trivially. */
  readonly explained: readonly string[];
  /** Fields without a difference, or with unique values. */
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

/** Smaller differences are not visible. */
const MIN_SCORE = 0.02;
const MAX_P = 0.05;

/**
 * If this many values occur once each, the field identifies events and does not distinguish sides.
 * Counts of rare values are estimates.
 */
const FEWEST_IDS = 4;
const areIds = (differences: Score['differences']): boolean =>
  differences.length >= FEWEST_IDS && differences.every(({ comparison_count: selected }) => selected <= 1);

const certaintyOf = (p: number): Certainty => (p < 0.001 ? 'certain' : p < 0.01 ? 'likely' : 'weak');

/** Whether a condition names a field, not just a longer name with this prefix. */
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
    (score ?? 0) >= MIN_SCORE && (p ?? 1) < MAX_P && !areIds(differences);
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

/** A value with its original type: the comparison returns strings. */
export function cellOfValue(value: string, type: string): Cell {
  if (value === 'null') return null;
  if (type === 'boolean') return value === 'true';
  const number = Number(value);
  return type === 'integer' && Number.isSafeInteger(number) ? number : value;
}

/** Describes the selection. */
export const inWords = (base: string): string =>
  base === '' ? 'the rest of the range' : base === BEFORE ? 'the previous period' : base;

/** Difference of two medians in words; from twice the baseline on, as a factor. */
export function changeText(change: number | undefined): string {
  if (change === undefined) return 'Distributions differ.';
  if (Math.abs(change) < 0.005) return 'Same median, different spread.';
  if (change >= 1) return `Median ${roundedText(Number((change + 1).toPrecision(2)))} times as high.`;
  const percent = Math.abs(change) * 100;
  return `Median ${percent < 10 ? percent.toFixed(1) : Math.round(percent)}% ${change > 0 ? 'higher' : 'lower'}.`;
}
