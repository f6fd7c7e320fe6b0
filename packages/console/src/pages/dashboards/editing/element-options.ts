import { unitNames } from '../document/units.js';

/**
 * What can be set of an element without writing JSON: where it is in the document, and what it may
 * be.
 */
export interface ElementOption {
  readonly path: readonly string[];
  readonly label: string;
  /** Its values; without them, a text. */
  readonly choices?: readonly { readonly id: string; readonly title: string }[];
  readonly lines?: number;
  /** It is an option of the columns, in the text at its path. */
  readonly ofColumns?: string;
}

const named = (...ids: readonly string[]) => ids.map((id) => ({ id, title: id }));
const flag = [
  { id: 'true', title: 'Yes' },
  { id: 'false', title: 'No' },
];
const query = (name: string): readonly string[] => ['query', 'queryOptions', name];

const unit: readonly ElementOption[] = [
  { path: ['unit'], label: 'Unit', choices: named(...unitNames) },
  { path: ['customUnits'], label: 'Unit of its own' },
];
const colours = ['Blue', 'Orange', 'Red', 'Purple', 'Teal', 'Yellow', 'Green', 'Pink', 'Grey', 'Brown'];
const wrapped: ElementOption = {
  path: ['tableSettings', 'settings', 'wrapLines'],
  label: 'Long lines are broken',
  choices: flag,
};
const thresholds = ['Above', 'AboveOrEqual', 'Below', 'BelowOrEqual', 'AboveOrBelow'];

const options: Readonly<Record<string, readonly ElementOption[]>> = {
  TimeSeries: [
    ...unit,
    {
      path: query('timeSeriesVariant'),
      label: 'Drawn as',
      choices: [
        { id: 'line', title: 'Lines' },
        { id: 'area', title: 'Areas, stacked' },
        { id: 'bars', title: 'Bars, stacked' },
      ],
    },
    {
      path: query('displayNull'),
      label: 'Where there is nothing',
      choices: [
        { id: 'auto', title: 'As it fits' },
        { id: 'null', title: 'A gap' },
        { id: 'span', title: 'Joined' },
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
      label: 'Shown as',
      choices: [
        { id: 'charts', title: 'Chart' },
        { id: 'resultsTable', title: 'Table' },
        { id: 'charts|resultsTable', title: 'Both' },
      ],
    },
  ],
  Statistic: [
    ...unit,
    { path: ['showChart'], label: 'With its course', choices: flag },
    { path: ['hideValue'], label: 'Without its number', choices: flag },
    { path: ['colorScheme'], label: 'Colour', choices: named(...colours) },
    { path: ['warningThreshold'], label: 'Warns when it is …', choices: named(...thresholds) },
    { path: ['warningThresholdValue'], label: '… this warning value' },
    { path: ['errorThreshold'], label: 'Critical when it is …', choices: named(...thresholds) },
    { path: ['errorThresholdValue'], label: '… this critical value' },
  ],
  Gauge: [
    ...unit,
    { path: ['min'], label: 'From' },
    { path: ['max'], label: 'To' },
    {
      path: ['colorScale'],
      label: 'Colours',
      choices: [
        { id: 'green-red', title: 'Low is good' },
        { id: 'red-green', title: 'Low is bad' },
      ],
    },
  ],
  Table: [wrapped],
  LogStream: [wrapped],
  SectionHeader: [{ path: ['collapsed'], label: 'Folded at first', choices: flag }],
  TopK: unit,
  Pie: unit,
  Scatter: unit,
  Heatmap: unit,
  Note: [{ path: ['text'], label: 'Text in Markdown', lines: 16 }],
};

/** Those of every element that asks. */
const ofAsking: readonly ElementOption[] = [
  { path: ['description'], label: 'Description' },
  { path: ['overrideDashboardTimeRange'], label: 'Has a range of its own', choices: flag },
  { path: query('quickRange'), label: 'Its range, as in 7d' },
  { path: ['overrideDashboardCompareAgainst'], label: 'Compares in its own way', choices: flag },
  { path: query('against'), label: 'With how long before, as in -1d' },
];

export const optionsOfKind = (type: string, asks: boolean): readonly ElementOption[] => [
  { path: ['name'], label: 'Name' },
  ...((Object.hasOwn(options, type) ? options[type] : undefined) ?? []),
  ...(asks ? ofAsking : []),
];
