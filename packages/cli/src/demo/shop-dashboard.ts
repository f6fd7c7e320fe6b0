import type { WriteDashboard } from '@millrace/client';

/** A chart and its position on a grid of 12 columns. */
type PlacedChart = readonly [
  chart: WriteDashboard['dashboard']['charts'][number] & Readonly<Record<string, unknown>>,
  x: number,
  y: number,
  w: number,
  h: number,
];

const filter = 'declare query_parameters (_service: string = "");\n';
const ofService = 'where isempty(_service) or service == _service';
const queryOf = (steps: string, queryOptions?: Readonly<Record<string, string>>): object => ({
  query: { apl: `${filter}logs | ${ofService} | ${steps}`, ...(queryOptions && { queryOptions }) },
});

/** Overview, failures and current activity. */
const placedCharts: readonly PlacedChart[] = [
  [
    {
      id: 'filters',
      type: 'SmartFilter',
      name: '',
      filters: [
        {
          id: '_service',
          name: 'Service',
          active: true,
          type: 'select',
          selectType: 'query',
          query: { apl: 'logs | summarize n = count() by value = service | top 20 by n | project key = value, value' },
          options: [{ key: 'All', value: '', default: true }],
        },
      ],
    },
    0,
    0,
    12,
    1,
  ],
  [
    {
      id: 'requests',
      type: 'Statistic',
      name: 'Requests',
      ...queryOf('summarize count() by bin_auto(_time)'),
      showChart: true,
      unit: 'Abbreviated',
    },
    0,
    1,
    3,
    4,
  ],
  [
    {
      id: 'errors',
      type: 'Statistic',
      name: 'Server errors',
      ...queryOf('summarize countif(status >= 500) by bin_auto(_time)'),
      showChart: true,
      unit: 'Abbreviated',
      warningThreshold: 'Above',
      warningThresholdValue: '20',
      errorThreshold: 'Above',
      errorThresholdValue: '100',
    },
    3,
    1,
    3,
    4,
  ],
  [
    {
      id: 'slow',
      type: 'Statistic',
      name: 'Duration p95 (ms)',
      ...queryOf('summarize percentile(duration_ms, 95) by bin_auto(_time)'),
      showChart: true,
      unit: 'Auto',
    },
    6,
    1,
    3,
    4,
  ],
  [
    {
      id: 'monitors',
      type: 'MonitorList',
      name: 'Monitors',
      selectedMonitors: [],
      columns: { status: true, history: false, dataset: false, type: false, notifiers: false },
    },
    9,
    1,
    3,
    4,
  ],
  [
    {
      id: 'levels',
      type: 'TimeSeries',
      name: 'Requests by status',
      ...queryOf('summarize count() by bin_auto(_time), status = tostring(status)', {
        timeSeriesVariant: 'bars',
        displayNull: 'zero',
      }),
    },
    0,
    5,
    8,
    5,
  ],
  [
    {
      id: 'versions',
      type: 'Table',
      name: 'Failures by version',
      ...queryOf(
        'summarize requests = count(), failed = countif(status >= 500) by service, version | extend percent = round(100.0 * failed / requests, 1) | order by percent desc',
      ),
    },
    8,
    5,
    4,
    5,
  ],
  [
    {
      id: 'durations',
      type: 'Heatmap',
      name: 'Durations (ms)',
      ...queryOf('summarize histogram(duration_ms, 20) by bin_auto(_time)'),
    },
    0,
    10,
    8,
    5,
  ],
  [
    { id: 'routes', type: 'TopK', name: 'Routes', ...queryOf('summarize count() by route | top 10 by count_') },
    8,
    10,
    4,
    5,
  ],
  [{ id: 'failures', type: 'LogStream', name: 'Latest failures', ...queryOf('where status >= 500') }, 0, 15, 12, 6],
];

export const shopBoard: WriteDashboard['dashboard'] = {
  name: 'The shop',
  description: 'Requests, failures and durations of the demo shop.',
  owner: 'X-AXIOM-EVERYONE',
  charts: placedCharts.map(([chart]) => chart),
  layout: placedCharts.map(([{ id }, x, y, w, h]) => ({ i: id, x, y, w, h })),
  refreshTime: 60,
  schemaVersion: 2,
  timeWindowStart: 'qr-now-1h',
  timeWindowEnd: 'qr-now',
};
