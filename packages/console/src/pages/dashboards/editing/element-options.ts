import { unitNames, unitTitle } from '../../../charts/units.js';

/** Element options with a form field: their location in the document, and their values. */
export interface ElementOption {
  readonly path: readonly string[];
  readonly label: string;
  /** Possible values; without them, free text. */
  readonly choices?: readonly { readonly id: string; readonly title: string }[];
  readonly lines?: number;
  /** A column option, in the string at its path. */
  readonly ofColumns?: string;
}

const choicesOf = (...ids: readonly string[]) => ids.map((id) => ({ id, title: id }));
const flag = [
  { id: 'true', title: 'Yes' },
  { id: 'false', title: 'No' },
];
const query = (name: string): readonly string[] => ['query', 'queryOptions', name];

const unit: readonly ElementOption[] = [
  { path: ['unit'], label: 'Unit', choices: unitNames.map((id) => ({ id, title: unitTitle(id) })) },
  { path: ['customUnits'], label: 'Custom unit' },
  { path: ['decimals'], label: 'Decimals' },
];
const colors = ['Blue', 'Orange', 'Red', 'Purple', 'Teal', 'Yellow', 'Green', 'Pink', 'Grey', 'Brown'];
const wrapLinesOption: ElementOption = {
  path: ['tableSettings', 'settings', 'wrapLines'],
  label: 'Wrap lines',
  choices: flag,
};
const conditions = [
  { id: 'Above', title: 'Above' },
  { id: 'AboveOrEqual', title: 'At or above' },
  { id: 'Below', title: 'Below' },
  { id: 'BelowOrEqual', title: 'At or below' },
  { id: 'AboveOrBelow', title: 'Not equal' },
];
const thresholds: readonly ElementOption[] = [
  { path: ['warningThreshold'], label: 'Warning condition', choices: conditions },
  { path: ['warningThresholdValue'], label: 'Warning threshold' },
  { path: ['errorThreshold'], label: 'Critical condition', choices: conditions },
  { path: ['errorThresholdValue'], label: 'Critical threshold' },
];

const options: Readonly<Record<string, readonly ElementOption[]>> = {
  TimeSeries: [
    ...unit,
    {
      path: query('timeSeriesVariant'),
      label: 'Style',
      choices: [
        { id: 'line', title: 'Lines' },
        { id: 'area', title: 'Stacked area' },
        { id: 'bars', title: 'Stacked bars' },
      ],
    },
    {
      path: query('displayNull'),
      label: 'Missing values',
      choices: [
        { id: 'auto', title: 'Auto' },
        { id: 'null', title: 'Gap' },
        { id: 'span', title: 'Connect' },
        { id: 'zero', title: 'Zero' },
      ],
    },
    {
      path: query('aggChartOpts'),
      ofColumns: 'scaleDistr',
      label: 'Scale',
      choices: [
        { id: 'linear', title: 'Linear' },
        { id: 'log', title: 'Logarithmic' },
      ],
    },
    {
      path: query('timeSeriesView'),
      label: 'Display',
      choices: [
        { id: 'charts', title: 'Chart' },
        { id: 'resultsTable', title: 'Table' },
        { id: 'charts|resultsTable', title: 'Both' },
      ],
    },
    { path: ['legendStatistics'], label: 'Last, min, max, average in the legend', choices: flag },
    ...thresholds,
  ],
  Statistic: [
    ...unit,
    { path: ['showChart'], label: 'Show sparkline', choices: flag },
    { path: ['hideValue'], label: 'Hide value', choices: flag },
    { path: ['colorScheme'], label: 'Color', choices: choicesOf(...colors) },
    ...thresholds,
  ],
  Gauge: [
    ...unit,
    { path: ['min'], label: 'From' },
    { path: ['max'], label: 'To' },
    {
      path: ['colorScale'],
      label: 'Colors',
      choices: [
        { id: 'green-red', title: 'Lower is better' },
        { id: 'red-green', title: 'Higher is better' },
      ],
    },
  ],
  Table: [wrapLinesOption],
  LogStream: [wrapLinesOption],
  SectionHeader: [{ path: ['collapsed'], label: 'Collapsed by default', choices: flag }],
  TopK: unit,
  Pie: unit,
  Scatter: unit,
  Heatmap: unit,
  Note: [{ path: ['text'], label: 'Content (Markdown)', lines: 16 }],
};

/** Options of all elements with a query. */
const ofAsking: readonly ElementOption[] = [
  { path: ['description'], label: 'Description' },
  { path: ['overrideDashboardTimeRange'], label: 'Override time range', choices: flag },
  { path: query('quickRange'), label: 'Time range, for example 7d' },
  { path: ['overrideDashboardCompareAgainst'], label: 'Override comparison', choices: flag },
  { path: query('against'), label: 'Offset, for example -1d' },
];

export const optionsOfKind = (type: string, asks: boolean): readonly ElementOption[] => [
  { path: ['name'], label: 'Name' },
  ...((Object.hasOwn(options, type) ? options[type] : undefined) ?? []),
  ...(asks ? ofAsking : []),
];
