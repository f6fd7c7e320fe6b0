/** Documents that have what exported ones have: members that nobody documents, booleans as texts, and every kind of element. */

interface Element {
  readonly id: string;
  readonly type: string;
  readonly [member: string]: unknown;
}

type Place = readonly [x: number, y: number, w: number, h: number];

export const boardOf = (name: string, elements: readonly (readonly [Element, Place])[], more: object = {}) => ({
  name,
  owner: 'X-AXIOM-EVERYONE',
  charts: elements.map(([chart]) => chart),
  layout: elements.map(([{ id }, [x, y, w, h]]) => ({ i: id, x, y, w, h, moved: false, static: false })),
  refreshTime: 60,
  schemaVersion: 2,
  timeWindowStart: 'qr-now-24h',
  timeWindowEnd: 'qr-now',
  ...more,
});

const filtered =
  "declare query_parameters (_service: string = '', _text: string = '');\nshop | where isempty(_service) or service == _service | where msg contains _text";

const asking = (type: string, id: string, name: string, apl: string, more: object = {}) => ({
  id,
  type,
  name,
  query: { apl },
  ...more,
});

/** One of each kind, over dataset `shop`. */
export const everyElement = boardOf(
  'Every element',
  [
    [
      {
        id: 'filters',
        type: 'SmartFilter',
        filters: [
          { id: '_text', name: 'Message has', active: true, type: 'search', selectType: 'list', options: '' },
          {
            id: '_service',
            name: 'Service',
            active: true,
            type: 'select',
            selectType: 'apl',
            apl: { apl: 'shop | summarize count() by value = service | project key = value, value', queryOptions: {} },
            options: [{ key: 'All', value: '', default: true }],
          },
        ],
      },
      [0, 0, 12, 1],
    ],
    [
      asking('Statistic', 'requests', 'Requests', `${filtered} | summarize count() by bin(_time, 5m)`, {
        showChart: 'true',
        unit: 'Abbreviated',
        colorScheme: 'Teal',
      }),
      [0, 1, 3, 3],
    ],
    [
      asking('Statistic', 'failures', 'Failures', `${filtered} | summarize countif(status >= 500)`, {
        errorThreshold: 'Above',
        errorThresholdValue: '10',
      }),
      [3, 1, 3, 3],
    ],
    [
      asking('Gauge', 'slow', 'Slowest of a hundred', `${filtered} | summarize percentile(duration_ms, 99)`, {
        unit: 'TimeMS',
        decimals: 0,
      }),
      [6, 1, 3, 3],
    ],
    [
      asking('Pie', 'services', 'Requests by service, as shares', `${filtered} | summarize count() by service`),
      [9, 1, 3, 3],
    ],
    [
      {
        ...asking('TimeSeries', 'series', 'Requests by service', ''),
        query: {
          apl: `${filtered} | summarize count() by bin(_time, 2m), service`,
          queryOptions: {
            timeSeriesVariant: 'area',
            displayNull: 'zero',
            aggChartOpts:
              '{"{\\"alias\\":\\"count_\\",\\"op\\":\\"count\\"}":{"variant":"area","scaleDistr":"linear"}}',
            containsTimeFilter: 'false',
          },
        },
        modified: 1_769_205_867_543,
      },
      [0, 4, 6, 4],
    ],
    [
      {
        ...asking('TimeSeries', 'bars', 'Statuses', ''),
        query: {
          apl: `${filtered} | summarize count() by bin(_time, 2m), tostring(status)`,
          queryOptions: { timeSeriesVariant: 'bars', overlayCharts: 'true' },
        },
      },
      [6, 4, 6, 4],
    ],
    [
      asking(
        'Heatmap',
        'durations',
        'Durations',
        `${filtered} | where duration_ms < 400 | summarize histogram(duration_ms, 15) by bin(_time, 2m)`,
        {
          unit: 'TimeMS',
        },
      ),
      [0, 8, 6, 4],
    ],
    [
      asking(
        'Scatter',
        'scatter',
        'Duration and size by path',
        `${filtered} | summarize avg(duration_ms), avg(bytes) by route`,
      ),
      [6, 8, 6, 4],
    ],
    [asking('TopK', 'routes', 'Paths', `${filtered} | summarize count() by route | top 10 by count_`), [0, 12, 4, 5]],
    [
      asking(
        'Table',
        'table',
        'Slow paths',
        `${filtered} | summarize requests = count(), p95 = percentile(duration_ms, 95) by service, route | sort by p95 desc`,
        {
          tableSettings: {
            columns: ['service', { name: 'route', width: 120 }, 'requests', 'p95'],
            settings: { fontSize: '12px' },
          },
        },
      ),
      [4, 12, 8, 5],
    ],
    [
      asking('LogStream', 'log', 'Errors', `${filtered} | where level == 'error'`, { tableSettings: { columns: [] } }),
      [0, 17, 12, 5],
    ],
    [{ id: 'section', type: 'SectionHeader', name: 'What has no query', datasetId: 'shop' }, [0, 22, 12, 1]],
    [
      {
        id: 'note',
        type: 'Note',
        variant: 'default',
        text: '# On call\n\n- **gateway**: see [the runbook](https://example.com/runbook)\n- <script>alert(1)</script> stays text\n\n| who | when |\n|---|---|\n| Ada | Monday |',
      },
      [0, 23, 6, 4],
    ],
    [
      { id: 'monitors', type: 'MonitorList', name: 'Monitors', selectedMonitors: [], columns: { status: true } },
      [6, 23, 6, 4],
    ],
    [{ id: 'spacer', type: 'Spacer' }, [0, 27, 6, 1]],
    [{ id: 'placeholder', type: 'Placeholder' }, [6, 27, 6, 2]],
  ],
  { datasets: ['shop'], overrides: {} },
);

/** Elements that cannot show what they should. */
export const brokenBoard = boardOf('Broken', [
  [asking('TimeSeries', 'nodataset', 'No such dataset', 'nosuch | summarize count() by bin_auto(_time)'), [0, 0, 4, 3]],
  [asking('Table', 'syntax', 'A mistake', 'shop | wher status > 1'), [4, 0, 4, 3]],
  [asking('FlameGraph', 'unknown', 'Of a later version', 'shop'), [8, 0, 4, 3]],
  [asking('Heatmap', 'shape', 'No histogram', 'shop | summarize count() by service'), [0, 3, 4, 3]],
  [asking('Scatter', 'onenumber', 'One number only', 'shop | summarize count() by service'), [4, 3, 4, 3]],
  [
    asking(
      'TimeSeries',
      'empty',
      'Nothing there',
      "shop | where service == 'none' | summarize count() by bin_auto(_time), service",
    ),
    [8, 3, 4, 3],
  ],
  [{ id: 'metrics', type: 'TimeSeries', name: 'Metrics', query: { mpl: 'metrics:cpu' } }, [0, 6, 4, 3]],
  [{ id: 'noquery', type: 'Statistic', name: 'No query' }, [4, 6, 4, 3]],
  [{ id: 'nofilters', type: 'SmartFilter', filters: 'none' }, [8, 6, 4, 3]],
  [asking('TimeSeries', 'many', 'Many series', 'shop | summarize count() by bin(_time, 1m), trace_id'), [0, 9, 12, 4]],
]);
