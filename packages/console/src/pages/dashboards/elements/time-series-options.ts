import { type Chart, membersOf, type Members, textMember } from '../document.js';

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

/** The options of the query, and those that an exported document has for single columns: the first that says something counts. */
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

/** `aggChartOpts` is the JSON text of an object, with a member for each column. */
function columnOptions(options: Members): readonly Members[] {
  try {
    return Object.values(membersOf(JSON.parse(textMember(options, 'aggChartOpts') ?? '{}'))).map(membersOf);
  } catch {
    return [];
  }
}
