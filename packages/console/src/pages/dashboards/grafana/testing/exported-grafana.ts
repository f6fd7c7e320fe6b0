/** A dashboard as Grafana 11 exports it: panels over Loki, Prometheus and Elasticsearch. */

const loki = { type: 'loki', uid: '${DS_LOKI}' };
const steps = (...list: readonly (readonly [string, number | null])[]) => ({
  mode: 'absolute',
  steps: list.map(([color, value]) => ({ color, value })),
});

export const exportedGrafana = {
  __inputs: [{ name: 'DS_LOKI', label: 'Loki', type: 'datasource', pluginId: 'loki', pluginName: 'Loki' }],
  annotations: { list: [{ builtIn: 1, datasource: { type: 'grafana', uid: '-- Grafana --' }, enable: true }] },
  editable: true,
  graphTooltip: 1,
  id: null,
  links: [],
  panels: [
    {
      type: 'stat',
      title: 'Errors',
      description: 'Failed requests',
      datasource: loki,
      gridPos: { h: 4, w: 6, x: 0, y: 0 },
      fieldConfig: {
        defaults: { unit: 'short', decimals: 0, thresholds: steps(['green', null], ['orange', 50], ['red', 200]) },
        overrides: [],
      },
      options: { graphMode: 'area', colorMode: 'value', reduceOptions: { calcs: ['lastNotNull'] } },
      targets: [
        { refId: 'A', expr: 'sum(count_over_time({service=~"$service"} | json | status >= 500 [$__interval]))' },
      ],
    },
    {
      type: 'gauge',
      title: 'Slow requests',
      datasource: loki,
      gridPos: { h: 4, w: 6, x: 6, y: 0 },
      fieldConfig: {
        defaults: { unit: 'ms', min: 0, max: 2000, thresholds: steps(['green', null], ['red', 1000]) },
        overrides: [],
      },
      targets: [{ refId: 'A', expr: 'quantile_over_time(0.95, {service="gateway"} | json | unwrap duration_ms [5m])' }],
    },
    {
      type: 'timeseries',
      title: 'Requests',
      datasource: loki,
      gridPos: { h: 8, w: 12, x: 12, y: 0 },
      fieldConfig: {
        defaults: {
          unit: 'reqps',
          custom: { drawStyle: 'bars', stacking: { mode: 'normal' }, spanNulls: false },
        },
        overrides: [],
      },
      targets: [{ refId: 'A', expr: 'sum by (service) (rate({service=~".+"} [$__auto]))' }],
    },
    {
      type: 'table',
      title: 'Routes',
      datasource: loki,
      gridPos: { h: 8, w: 12, x: 0, y: 4 },
      targets: [
        { refId: 'A', expr: 'topk(5, sum by (route) (count_over_time({service="gateway"} | json [$__range])))' },
      ],
    },
    {
      type: 'timeseries',
      title: 'CPU',
      datasource: { type: 'prometheus', uid: 'prom' },
      gridPos: { h: 8, w: 12, x: 12, y: 8 },
      fieldConfig: { defaults: { unit: 'percentunit' }, overrides: [] },
      targets: [{ refId: 'A', expr: 'sum(rate(process_cpu_seconds_total{job="api"}[5m])) by (instance)' }],
    },
    {
      type: 'row',
      title: 'Details',
      collapsed: true,
      gridPos: { h: 1, w: 24, x: 0, y: 16 },
      panels: [
        {
          type: 'logs',
          title: 'Timeouts',
          datasource: loki,
          gridPos: { h: 9, w: 24, x: 0, y: 17 },
          options: { wrapLogMessage: true, showTime: true },
          targets: [{ refId: 'A', expr: '{service="checkout"} |= "timed out" != "retry"' }],
        },
      ],
    },
    { type: 'row', title: 'Search', collapsed: false, gridPos: { h: 1, w: 24, x: 0, y: 17 }, panels: [] },
    {
      type: 'piechart',
      title: 'By status',
      datasource: { type: 'elasticsearch', uid: 'es' },
      gridPos: { h: 8, w: 8, x: 0, y: 18 },
      targets: [
        {
          refId: 'A',
          query: 'service:gateway AND status:>=400',
          metrics: [{ id: '1', type: 'count' }],
          bucketAggs: [
            { id: '2', type: 'terms', field: 'status', settings: { size: '5', order: 'desc', orderBy: '_count' } },
          ],
        },
      ],
    },
    {
      type: 'timeseries',
      title: 'Duration',
      datasource: { type: 'elasticsearch', uid: 'es' },
      gridPos: { h: 8, w: 8, x: 8, y: 18 },
      fieldConfig: { defaults: { unit: 'ms' }, overrides: [] },
      targets: [
        {
          refId: 'A',
          query: '*',
          metrics: [{ id: '1', type: 'percentiles', field: 'duration_ms', settings: { percents: ['50', '99'] } }],
          bucketAggs: [{ id: '2', type: 'date_histogram', field: '@timestamp', settings: { interval: 'auto' } }],
        },
      ],
    },
    {
      type: 'text',
      title: 'About',
      gridPos: { h: 8, w: 4, x: 16, y: 18 },
      options: { mode: 'markdown', content: '**On call**: see the runbook.' },
    },
    { type: 'nodeGraph', title: 'Map', gridPos: { h: 8, w: 4, x: 20, y: 18 }, targets: [] },
  ],
  refresh: '10s',
  schemaVersion: 39,
  tags: ['shop'],
  templating: {
    list: [
      { name: 'DS_LOKI', type: 'datasource', query: 'loki' },
      {
        name: 'service',
        label: 'Service',
        type: 'query',
        datasource: loki,
        query: { label: 'service', type: 1 },
        includeAll: true,
      },
      { name: 'level', type: 'custom', query: 'info, Errors : error', options: [] },
      { name: 'text', type: 'textbox', query: '' },
      { name: 'pod', type: 'query', query: 'query_result(kube_pod_info)' },
    ],
  },
  time: { from: 'now-6h', to: 'now' },
  timezone: 'browser',
  title: 'Shop overview',
  uid: 'shop-overview',
  version: 12,
};
