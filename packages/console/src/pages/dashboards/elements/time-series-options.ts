import { type Chart, membersOf, type Members, textMember } from '../document/document.js';

/** How a time series is drawn. */
interface TimeSeriesOptions {
  readonly kind: 'line' | 'area' | 'bar';
  readonly stacked: boolean;
  readonly nulls: 'gap' | 'join' | 'zero';
  readonly logarithmic: boolean;
  readonly view: 'chart' | 'table' | 'both';
}

const kinds: Readonly<Record<string, TimeSeriesOptions['kind']>> = {
  area: 'area',
  bars: 'bar',
  line: 'line',
  lines: 'line',
};
const nulls: Readonly<Record<string, TimeSeriesOptions['nulls']>> = { null: 'gap', span: 'join', zero: 'zero' };

/**
 * The options of the query, and those that an exported document has for single columns: the first
 * that says something counts.
 */
export function timeSeriesOptions(chart: Chart): TimeSeriesOptions {
  const options = membersOf(membersOf(chart['query'])['queryOptions']);
  const all = [options, ...columnOptions(options)];
  const first = (name: string): string | undefined => all.map((each) => textMember(each, name)).find(Boolean);
  const variant = first('timeSeriesVariant') ?? first('variant') ?? 'line';
  const view = first('timeSeriesView') ?? 'charts';
  return {
    kind: kinds[variant] ?? 'line',
    // Areas and bars stand on each other; lines cannot.
    stacked: variant === 'area' || variant === 'bars',
    nulls: nulls[first('displayNull') ?? ''] ?? 'gap',
    logarithmic: first('scaleDistr') === 'log',
    view: view === 'resultsTable' ? 'table' : view.includes('resultsTable') ? 'both' : 'chart',
  };
}

/** An option of single columns: what the first of them says. */
export const columnOption = (chart: Chart, name: string): string | undefined =>
  columnOptions(membersOf(membersOf(chart['query'])['queryOptions']))
    .map((each) => textMember(each, name))
    .find(Boolean);

/**
 * The text of `aggChartOpts` with an option for all columns; those that are there keep their other
 * options.
 */
export function withColumnOption(chart: Chart, name: string, value: unknown): string {
  const text = textMember(membersOf(membersOf(chart['query'])['queryOptions']), 'aggChartOpts') ?? '{}';
  const columns = Object.entries(columnsIn(text));
  return JSON.stringify(
    Object.fromEntries(
      (columns.length > 0 ? columns : [['*', {}]]).map(([key, each]) => [key, { ...each, [name]: value }]),
    ),
  );
}

/** `aggChartOpts` is the JSON text of an object, with a member for each column. */
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
