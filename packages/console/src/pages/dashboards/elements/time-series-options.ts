import type { ChartLevel } from '../../../charts/series-option.js';
import { type Chart, flagMember, membersOf, type Members, numberMember, textMember } from '../document/document.js';

/** Options of a time series. */
interface TimeSeriesOptions {
  readonly kind: 'line' | 'area' | 'bar';
  readonly stacked: boolean;
  readonly nulls: 'gap' | 'join' | 'zero';
  readonly logarithmic: boolean;
  readonly view: 'chart' | 'table' | 'both';
  readonly statistics: boolean;
}

const kinds: Readonly<Record<string, TimeSeriesOptions['kind']>> = {
  area: 'area',
  bars: 'bar',
  line: 'line',
  lines: 'line',
};
const nulls: Readonly<Record<string, TimeSeriesOptions['nulls']>> = { null: 'gap', span: 'join', zero: 'zero' };

/**
 * Options of the query and, in exported documents, of single columns: the first that is set counts.
 */
export function timeSeriesOptions(chart: Chart): TimeSeriesOptions {
  const options = membersOf(membersOf(chart['query'])['queryOptions']);
  const all = [options, ...columnOptions(options)];
  const first = (name: string): string | undefined => all.map((each) => textMember(each, name)).find(Boolean);
  const variant = first('timeSeriesVariant') ?? first('variant') ?? 'line';
  const view = first('timeSeriesView') ?? 'charts';
  return {
    kind: kinds[variant] ?? 'line',
    // Areas and bars are stacked; lines are not.
    stacked: variant === 'area' || variant === 'bars',
    nulls: nulls[first('displayNull') ?? ''] ?? 'gap',
    statistics: flagMember(chart, 'legendStatistics') === true,
    logarithmic: first('scaleDistr') === 'log',
    view: view === 'resultsTable' ? 'table' : view.includes('resultsTable') ? 'both' : 'chart',
  };
}

/** Thresholds, with the side on which they are exceeded. */
export const chartLevels = (chart: Chart): readonly ChartLevel[] =>
  (['warning', 'error'] as const).flatMap((name) => {
    const condition = textMember(chart, `${name}Threshold`);
    const value = numberMember(chart, `${name}ThresholdValue`);
    if (condition === undefined || value === undefined) return [];
    const side = /^Above(OrEqual)?$/.test(condition) ? 'above' : condition.startsWith('Below') ? 'below' : 'none';
    return [{ value, bad: name === 'error', side }];
  });

/** An option of single columns: the first that is set. */
export const columnOption = (chart: Chart, name: string): string | undefined =>
  columnOptions(membersOf(membersOf(chart['query'])['queryOptions']))
    .map((each) => textMember(each, name))
    .find(Boolean);

/** `aggChartOpts` with an option for all columns; existing columns keep their other options. */
export function withColumnOption(chart: Chart, name: string, value: unknown): string {
  const text = textMember(membersOf(membersOf(chart['query'])['queryOptions']), 'aggChartOpts') ?? '{}';
  const columns = Object.entries(columnsIn(text));
  return JSON.stringify(
    Object.fromEntries(
      (columns.length > 0 ? columns : [['*', {}]]).map(([key, each]) => [key, { ...each, [name]: value }]),
    ),
  );
}

/** `aggChartOpts` is the JSON text of an object with a property per column. */
const columnOptions = (options: Members): readonly Members[] =>
  Object.values(columnsIn(textMember(options, 'aggChartOpts') ?? '{}'));

function columnsIn(text: string): Readonly<Record<string, Members>> {
  try {
    return Object.fromEntries(
      Object.entries(membersOf(JSON.parse(text))).map(([key, value]) => [key, membersOf(value)]),
    );
  } catch {
    return {};
  }
}
