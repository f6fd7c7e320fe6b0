import type { Shape } from '../../../editor/translate/translation-error.js';
import { membersOf, type Members, numberMember, textMember } from '../document/document.js';
import { listOf, type Panel } from './documents.js';
import { grafanaUnits } from './units.js';

/** How a kind of panel is shown. Adding one is a line. */
interface PanelKind {
  readonly type: string;
  /** What its query returns; undefined for panels without a query. */
  readonly shape?: Shape;
  /** Properties of the element. */
  readonly options?: (panel: Panel) => Members;
}

const defaultsOf = (panel: Panel): Members => membersOf(membersOf(panel['fieldConfig'])['defaults']);
const optionsOf = (panel: Panel): Members => membersOf(panel['options']);

export const panelKinds: Readonly<Record<string, PanelKind>> = {
  timeseries: { type: 'TimeSeries', shape: 'times', options: timeSeries },
  graph: { type: 'TimeSeries', shape: 'times', options: graph },
  'state-timeline': { type: 'TimeSeries', shape: 'times' },
  'status-history': { type: 'TimeSeries', shape: 'times' },
  candlestick: { type: 'TimeSeries', shape: 'times' },
  stat: { type: 'Statistic', shape: 'times', options: statistic },
  singlestat: { type: 'Statistic', shape: 'times', options: statistic },
  gauge: { type: 'Gauge', shape: 'times', options: gauge },
  barchart: { type: 'TopK', shape: 'groups', options: unitOptions },
  bargauge: { type: 'TopK', shape: 'groups', options: unitOptions },
  piechart: { type: 'Pie', shape: 'groups', options: unitOptions },
  'grafana-piechart-panel': { type: 'Pie', shape: 'groups', options: unitOptions },
  table: { type: 'Table', shape: 'groups', options: unitOptions },
  'table-old': { type: 'Table', shape: 'groups', options: unitOptions },
  logs: { type: 'LogStream', shape: 'events', options: logs },
  heatmap: { type: 'Heatmap', shape: 'times', options: unitOptions },
  histogram: { type: 'TopK', shape: 'groups', options: unitOptions },
  xychart: { type: 'Scatter', shape: 'groups', options: unitOptions },
  traces: { type: 'Table', shape: 'events' },
  text: { type: 'Note', options: (panel) => ({ text: contentOf(panel) }) },
  row: { type: 'SectionHeader', options: ({ collapsed }) => ({ collapsed: collapsed === true }) },
  alertlist: { type: 'MonitorList' },
};

/** Unit, custom unit and decimals. */
function unitOptions(panel: Panel): Members {
  const defaults = defaultsOf(panel);
  const axis = listOf(panel['yaxes'])[0] ?? {};
  const id = textMember(defaults, 'unit') ?? textMember(panel, 'format') ?? textMember(axis, 'format') ?? '';
  const custom = /^(?:suffix|prefix|si):(.+)$/.exec(id)?.[1];
  const found = Object.hasOwn(grafanaUnits, id) ? grafanaUnits[id] : undefined;
  const decimals = numberMember(defaults, 'decimals') ?? numberMember(panel, 'decimals');
  return {
    ...(custom === undefined ? found : { customUnits: custom }),
    ...(decimals !== undefined && { decimals }),
  };
}

/** A unit that elements have none for. */
export function unknownUnit(panel: Panel): string | undefined {
  const id = textMember(defaultsOf(panel), 'unit') ?? textMember(panel, 'format');
  if (id === undefined || id === 'none' || /^(suffix|prefix|si):/.test(id)) return undefined;
  return Object.hasOwn(grafanaUnits, id) ? undefined : id;
}

function timeSeries(panel: Panel): Members {
  const custom = membersOf(defaultsOf(panel)['custom']);
  const isStacked = (textMember(membersOf(custom['stacking']), 'mode') ?? 'none') !== 'none';
  const isLog = textMember(membersOf(custom['scaleDistribution']), 'type') === 'log';
  const style = custom['drawStyle'] === 'bars' ? 'bars' : isStacked ? 'area' : 'line';
  return { ...unitOptions(panel), ...levels(panel), ...drawOptions(style, custom['spanNulls'] === true, isLog) };
}

function graph(panel: Panel): Members {
  const isLog = Number(numberMember(listOf(panel['yaxes'])[0] ?? {}, 'logBase') ?? 1) > 1;
  const style = panel['bars'] === true ? 'bars' : panel['stack'] === true ? 'area' : 'line';
  return { ...unitOptions(panel), ...drawOptions(style, panel['nullPointMode'] === 'connected', isLog) };
}

const drawOptions = (timeSeriesVariant: string, isJoined: boolean, isLog: boolean): Members => ({
  query: {
    queryOptions: {
      timeSeriesVariant,
      displayNull: isJoined ? 'span' : 'auto',
      ...(isLog && { aggChartOpts: JSON.stringify({ '*': { scaleDistr: 'log' } }) }),
    },
  },
});

function statistic(panel: Panel): Members {
  const showChart = textMember(optionsOf(panel), 'graphMode') !== 'none';
  return { ...unitOptions(panel), ...levels(panel), showChart };
}

function gauge(panel: Panel): Members {
  const defaults = defaultsOf(panel);
  const [min, max] = [numberMember(defaults, 'min') ?? 0, numberMember(defaults, 'max') ?? 100];
  const steps = stepsOf(panel);
  const isGoodLast = /green/.test(textMember(steps.at(-1) ?? {}, 'color') ?? '');
  return { ...unitOptions(panel), min, max, colorScale: isGoodLast ? 'red-green' : 'green-red' };
}

function logs(panel: Panel): Members {
  const wrapLines = optionsOf(panel)['wrapLogMessage'] === true;
  return { tableSettings: { columns: [], settings: { wrapLines } } };
}

const contentOf = (panel: Panel): string =>
  textMember(optionsOf(panel), 'content') ?? textMember(panel, 'content') ?? '';

const stepsOf = (panel: Panel): readonly Members[] => {
  const thresholds = membersOf(defaultsOf(panel)['thresholds']);
  return thresholds['mode'] === 'percentage' ? [] : listOf(thresholds['steps']);
};

/**
 * Thresholds. A step applies from its value on: with colors that get worse the two highest steps
 * are conditions *at or above*, with colors that get better the two lowest are *below*.
 */
function levels(panel: Panel): Members {
  const steps = stepsOf(panel);
  const values = steps.flatMap((step) => numberMember(step, 'value') ?? []);
  if (values.length === 0) return {};
  const isGoodLast = /green/.test(textMember(steps.at(-1)!, 'color') ?? '');
  const condition = isGoodLast ? 'Below' : 'AboveOrEqual';
  const [worst, next] = isGoodLast ? values.toSorted((a, b) => a - b) : values.toSorted((a, b) => b - a);
  return {
    errorThreshold: condition,
    errorThresholdValue: String(worst),
    ...(next !== undefined && { warningThreshold: condition, warningThresholdValue: String(next) }),
  };
}
