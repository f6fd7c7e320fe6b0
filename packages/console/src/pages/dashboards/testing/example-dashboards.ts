/**
 * Documents with features of exported ones: undocumented properties, booleans as strings, and all
 * element kinds.
 */

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

const filteredQuery =
  "declare query_parameters (_service: string = '', _text: string = '');\nshop | where isempty(_service) or service == _service | where msg contains _text";

const queryElement = (type: string, id: string, name: string, apl: string, more: object = {}) => ({
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
      queryElement('Statistic', 'requests', 'Requests', `${filteredQuery} | summarize count() by bin(_time, 5m)`, {
        showChart: 'true',
        unit: 'Abbreviated',
        colorScheme: 'Teal',
      }),
      [0, 1, 3, 3],
    ],
    [
      queryElement('Statistic', 'failures', 'Failures', `${filteredQuery} | summarize countif(status >= 500)`, {
        errorThreshold: 'Above',
        errorThresholdValue: '10',
      }),
      [3, 1, 3, 3],
    ],
    [
      queryElement(
        'Gauge',
        'slow',
        'Slowest of a hundred',
        `${filteredQuery} | summarize percentile(duration_ms, 99)`,
        {
          unit: 'TimeMS',
          decimals: 0,
        },
      ),
      [6, 1, 3, 3],
    ],
    [
      queryElement(
        'Pie',
        'services',
        'Requests by service, as shares',
        `${filteredQuery} | summarize count() by service`,
      ),
      [9, 1, 3, 3],
    ],
    [
      {
        ...queryElement('TimeSeries', 'series', 'Requests by service', ''),
        query: {
          apl: `${filteredQuery} | summarize count() by bin(_time, 2m), service`,
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
        ...queryElement('TimeSeries', 'bars', 'Statuses', ''),
        query: {
          apl: `${filteredQuery} | summarize count() by bin(_time, 2m), tostring(status)`,
          queryOptions: { timeSeriesVariant: 'bars', overlayCharts: 'true' },
        },
      },
      [6, 4, 6, 4],
    ],
    [
      queryElement(
        'Heatmap',
        'durations',
        'Durations',
        `${filteredQuery} | where duration_ms < 400 | summarize histogram(duration_ms, 15) by bin(_time, 2m)`,
        {
          unit: 'TimeMS',
        },
      ),
      [0, 8, 6, 4],
    ],
    [
      queryElement(
        'Scatter',
        'scatter',
        'Duration and size by path',
        `${filteredQuery} | summarize avg(duration_ms), avg(bytes) by route`,
      ),
      [6, 8, 6, 4],
    ],
    [
      queryElement('TopK', 'routes', 'Paths', `${filteredQuery} | summarize count() by route | top 10 by count_`),
      [0, 12, 4, 5],
    ],
    [
      queryElement(
        'Table',
        'table',
        'Slow paths',
        `${filteredQuery} | summarize requests = count(), p95 = percentile(duration_ms, 95) by service, route | sort by p95 desc`,
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
      queryElement('LogStream', 'log', 'Errors', `${filteredQuery} | where level == 'error'`, {
        tableSettings: { columns: [] },
      }),
      [0, 17, 12, 5],
    ],
    [{ id: 'section', type: 'SectionHeader', name: 'What has no query', datasetId: 'shop' }, [0, 22, 12, 1]],
    [
      {
        id: 'note',
        type: 'Note',
        variant: 'default',
        text: '# On call\n\n- **gateway**: see [the runbook](https://example.com/runbook)\n- <script>alert(1)</script> stays text, &amp; and &copy; are characters\n\n| who | when |\n|---|---|\n| Ada | Monday |',
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

const series = (
  id: string,
  name: string,
  queryOptions: object,
  apl = 'shop | summarize count() by bin(_time, 2m), service',
  more: object = {},
) => ({
  ...queryElement('TimeSeries', id, name, apl, more),
  query: { apl, queryOptions },
});
const everyColumn = (options: object) => ({ aggChartOpts: JSON.stringify({ '*': options }) });
const someMissing = 'shop | where status >= 400 | summarize count() by bin(_time, 1m), service';

/** All time series styles and statistic styles. */
export const everyTimeSeries = boardOf(
  'Ways to draw',
  [
    [series('lines', 'Lines', { timeSeriesVariant: 'line' }), [0, 0, 6, 4]],
    [series('areas', 'Stacked area', { timeSeriesVariant: 'area' }), [6, 0, 6, 4]],
    [series('bars', 'Stacked bars', { timeSeriesVariant: 'bars' }), [0, 4, 6, 4]],
    [
      series(
        'log',
        'Logarithmic',
        everyColumn({ scaleDistr: 'log' }),
        'shop | summarize max(duration_ms) by bin(_time, 2m), service',
      ),
      [6, 4, 6, 4],
    ],
    [series('gaps', 'Gaps', { displayNull: 'null' }, someMissing), [0, 8, 4, 3]],
    [series('joined', 'Connect', { displayNull: 'span' }, someMissing), [4, 8, 4, 3]],
    [series('zeros', 'Zeros', { displayNull: 'zero' }, someMissing), [8, 8, 4, 3]],
    [
      {
        ...series(
          'before',
          'Against 30 minutes before',
          { against: '-30m' },
          'shop | summarize count() by bin(_time, 2m)',
        ),
        overrideDashboardCompareAgainst: true,
      },
      [0, 11, 6, 4],
    ],
    [series('table', 'As a table too', { timeSeriesView: 'charts|resultsTable' }), [6, 11, 6, 4]],
    [
      queryElement('Statistic', 'warns', 'Warns', 'shop | summarize count() by bin(_time, 5m)', {
        warningThreshold: 'Above',
        warningThresholdValue: '10',
      }),
      [0, 15, 3, 3],
    ],
    [
      queryElement('Statistic', 'critical', 'Critical', 'shop | count', {
        errorThreshold: 'AboveOrEqual',
        errorThresholdValue: '1',
        customUnits: 'requests',
      }),
      [3, 15, 3, 3],
    ],
    [
      queryElement('Statistic', 'colored', 'In custom colors', 'shop | count', {
        background: '#123456',
        textColor: '#ffffff',
        hideValue: false,
      }),
      [6, 15, 3, 3],
    ],
    [
      queryElement(
        'Gauge',
        'reversed',
        'Higher is better',
        'shop | summarize 100.0 * countif(status < 500) / count()',
        {
          min: '90',
          max: '100',
          unit: 'Percent100',
          colorScale: 'red-green',
        },
      ),
      [9, 15, 3, 3],
    ],
  ],
  { timeWindowStart: 'qr-now-2h' },
);

function nest(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = { value };
  return value;
}

/** Broken and unusual elements: all are stored as sent. */
export const brokenBoard = boardOf(
  'Broken',
  [
    [
      queryElement('TimeSeries', 'nodataset', 'No such dataset', 'nosuch | summarize count() by bin_auto(_time)'),
      [0, 0, 4, 3],
    ],
    [queryElement('Table', 'syntax', 'A mistake', 'shop | wher status > 1'), [4, 0, 4, 3]],
    [queryElement('FlameGraph', 'unknown', 'Of a later version', 'shop'), [8, 0, 4, 3]],
    [queryElement('Heatmap', 'shape', 'No histogram', 'shop | summarize count() by service'), [0, 3, 4, 3]],
    [queryElement('Scatter', 'onenumber', 'One number only', 'shop | summarize count() by service'), [4, 3, 4, 3]],
    [
      queryElement(
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
    [
      queryElement('TimeSeries', 'many', 'Many series', 'shop | summarize count() by bin(_time, 1m), trace_id'),
      [0, 9, 12, 4],
    ],
    ...below(13, [
      [queryElement('Table', 'wide', 'Wider than the board', 'shop | take 3'), [9, 0, 12, 3]],
      [queryElement('Statistic', 'far', 'Far down', 'shop | count'), [0, 4000, 3, 3]],
      [{ id: 'deep', type: 'Note', text: '- '.repeat(200) + 'deep', nested: nest(60) }, [0, 3, 6, 3]],
      [{ id: 'long', type: 'Note', name: 'x'.repeat(500), text: 'word'.repeat(20_000) }, [6, 3, 6, 3]],
      [
        {
          id: 'numbers',
          type: 'Statistic',
          name: 'Members of other kinds',
          query: 7,
          unit: ['x'],
          showChart: { a: 1 },
        },
        [0, 6, 3, 3],
      ],
      [{ id: 'null', type: 'TimeSeries', name: 'Nothing but nulls', query: null, description: null }, [3, 6, 3, 3]],
      [
        {
          id: 'filters',
          type: 'SmartFilter',
          filters: [null, 7, { id: 'x', options: 'none' }, { name: 'without an id' }],
        },
        [6, 6, 6, 1],
      ],
      [
        queryElement('TimeSeries', 'options', 'Options that are none', 'shop | summarize count() by bin(_time, 5m)', {
          tableSettings: [1],
        }),
        [6, 7, 6, 3],
      ],
      [
        queryElement('Pie', 'negative', 'Less than nothing', 'shop | summarize low = 0 - count() by service'),
        [0, 10, 4, 3],
      ],
      [
        queryElement(
          'TopK',
          '<b>id</b> "&',
          '<script>alert(1)</script>',
          "shop | extend name = '<img src=x onerror=alert(1)>' | summarize count() by name",
        ),
        [4, 10, 4, 3],
      ],
      [queryElement('Gauge', 'infinite', 'No number', 'shop | summarize 1.0 / (count() - count())'), [8, 10, 4, 3]],
      [
        {
          id: 'gone',
          type: 'MonitorList',
          name: 'Monitors that are gone',
          selectedMonitors: ['mon_none'],
          columns: 'all',
        },
        [0, 13, 6, 3],
      ],
    ]),
  ],
  { timeWindowEnd: 'never', refreshTime: 1, against: 'sometime' },
);

function below(rows: number, elements: readonly (readonly [Element, Place])[]): readonly (readonly [Element, Place])[] {
  return elements.map(([element, [x, y, w, h]]) => [element, [x, y + rows, w, h]]);
}

const crowd = 'crowd | summarize sum(n) by bin(_time, 1m), user';

/** Queries with fifty thousand groups in every kind of element. */
export const largeDashboard = boardOf(
  'Fifty thousand series',
  [
    [series('lines', 'Lines', {}, crowd), [0, 0, 6, 4]],
    [series('bars', 'Bars', { timeSeriesVariant: 'bars' }, crowd), [6, 0, 6, 4]],
    [queryElement('TopK', 'top', 'Top list', 'crowd | summarize sum(n) by user'), [0, 4, 3, 4]],
    [queryElement('Pie', 'pie', 'Pie', 'crowd | summarize sum(n) by user'), [3, 4, 3, 4]],
    [queryElement('Table', 'table', 'Table', crowd), [6, 4, 6, 4]],
    [queryElement('Heatmap', 'heat', 'Heatmap', crowd), [0, 8, 6, 4]],
    [queryElement('Scatter', 'scatter', 'Scatter', 'crowd | summarize sum(n), avg(n) by user'), [6, 8, 6, 4]],
    [queryElement('Statistic', 'one', 'Statistic', crowd), [0, 12, 3, 3]],
    [queryElement('LogStream', 'log', 'Log', 'crowd'), [3, 12, 9, 3]],
    // One series with more times than the maximum number of series.
    [series('long', 'Long', {}, 'shop | summarize count() by bin(_time, 20s)'), [0, 15, 12, 3]],
  ],
  { timeWindowStart: 'qr-now-2h' },
);
