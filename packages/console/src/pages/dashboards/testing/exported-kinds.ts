/**
 * A dashboard per element kind as another server exports it: properties outside its schema, numbers
 * such as `60.0`, booleans as strings, nested JSON strings, options of its editor.
 */
interface ExportedKind {
  readonly type: string;
  /** The text of the element. */
  readonly chart: string;
  /** Text on the dashboard once the element is drawn. */
  readonly shows: string | RegExp;
  /** An edit in the element editor, and its effect on the text. */
  readonly edit: { readonly field: string; readonly value: string; readonly from: string; readonly to: string };
}

const renameEdit = (from: string, to: string): ExportedKind['edit'] => ({
  field: 'Name',
  value: to,
  from: `"name": "${from}"`,
  to: `"name": "${to}"`,
});

export const exportedKinds: readonly ExportedKind[] = [
  {
    type: 'TimeSeries',
    shows: 'gateway',
    edit: renameEdit('Requests', 'Requests by service'),
    chart: String.raw`{
      "id": "7f3a", "type": "TimeSeries", "name": "Requests",
      "datasetId": "shop", "numSeries": 3, "modified": 1769205867543.0,
      "overrideDashboardTimeRange": "false", "overrideDashboardCompareAgainst": false,
      "query": {
        "apl": "['shop']\n| summarize count() by bin_auto(_time), service",
        "libraries": [], "resolution": "auto",
        "queryOptions": {
          "aggChartOpts": "{\"{\\\"alias\\\":\\\"count_\\\",\\\"op\\\":\\\"count\\\"}\":{\"variant\":\"area\",\"scaleDistr\":\"linear\",\"displayNull\":\"auto\",\"stroke\":2.0}}",
          "containsTimeFilter": "false", "openIntervals": "{}", "quickRange": "24h", "overlayCharts": "true", "timeSeriesView": "charts"
        }
      },
      "customUnits": ""
    }`,
  },
  {
    type: 'Statistic',
    shows: /^\d+ failed$/,
    edit: { field: 'Custom unit', value: 'lost', from: '"customUnits": "failed"', to: '"customUnits": "lost"' },
    chart: String.raw`{
      "id": "st", "type": "Statistic", "name": "Failures", "customUnits": "failed", "colorScheme": "Orange", "decimals": 0.0,
      "showChart": "true", "hideValue": false, "chartHeight": "large", "invertTheme": false,
      "errorThreshold": "AboveOrEqual", "errorThresholdValue": "100000.50", "warningThreshold": "Above", "warningThresholdValue": "99999",
      "errorColorProps": { "background": "#b00020", "chartFillColor": "#fff", "labelColor": "#fff", "textColor": "#fff" },
      "query": { "apl": "['shop'] | where status >= 500 | summarize count()", "queryOptions": null }
    }`,
  },
  {
    type: 'TopK',
    shows: '/items',
    edit: renameEdit('Routes', 'Busy routes'),
    chart: String.raw`{ "id": "tk", "type": "TopK", "name": "Routes", "query": { "apl": "['shop'] | summarize count() by route | top 10 by count_", "startTime": "", "endTime": "" }, "metadata": { "requires": [], "noData": {}, "zeroData": {} } }`,
  },
  {
    type: 'Table',
    shows: '/items',
    edit: { field: 'Description', value: 'of an hour', from: '"description": "x"', to: '"description": "of an hour"' },
    chart: String.raw`{
      "id": "tb", "type": "Table", "name": "Routes", "description": "x",
      "tableSettings": {
        "columns": [{ "name": "route", "width": 220.0 }, "count_"],
        "settings": { "fontSize": "12px", "highlightSeverity": true, "showRaw": false, "wrapLines": false, "hideNulls": true, "isLive": "OFF", "showHistory": false }
      },
      "query": { "apl": "['shop'] | summarize count() by route" }
    }`,
  },
  {
    type: 'Pie',
    shows: 'checkout',
    edit: renameEdit('Services', 'Sharing'),
    chart: String.raw`{ "id": "pi", "type": "Pie", "name": "Services", "hideHeader": false, "customUnits": "", "query": { "apl": "['shop'] | summarize count() by service" } }`,
  },
  {
    type: 'Heatmap',
    shows: /up to \d/,
    edit: renameEdit('Durations', 'How long it takes'),
    chart: String.raw`{
      "id": "hm", "type": "Heatmap", "name": "Durations",
      "query": { "apl": "['shop'] | summarize histogram(duration_ms, 15) by bin_auto(_time)", "queryOptions": { "timeSeriesView": "charts|resultsTable" } }
    }`,
  },
  {
    type: 'Scatter',
    shows: 'avg_bytes',
    edit: renameEdit('Duration and size', 'Size by duration'),
    chart: String.raw`{ "id": "sc", "type": "Scatter", "name": "Duration and size", "query": { "apl": "['shop'] | summarize avg(duration_ms), avg(bytes) by route" } }`,
  },
  {
    type: 'Gauge',
    shows: /^\d+%$/,
    edit: { field: 'To', value: '10', from: '"max": 5.0', to: '"max": 10' },
    chart: String.raw`{ "id": "ga", "type": "Gauge", "name": "Failed", "min": 0.0, "max": 5.0, "unit": "Percent100", "decimals": 0, "query": { "apl": "['shop'] | summarize 100.0 * countif(status >= 500) / count()" } }`,
  },
  {
    type: 'LogStream',
    shows: 'payment failed',
    edit: renameEdit('Latest', 'Latest failures'),
    chart: String.raw`{
      "id": "ls", "type": "LogStream", "name": "Latest", "tableSettings": { "columns": ["service", "msg"], "settings": { "wrapLines": true, "showTimestamp": true } },
      "query": { "apl": "['shop'] | where status == 500", "defaultOrder": [], "defaultLimit": 50.0 }
    }`,
  },
  {
    type: 'Note',
    shows: 'the runbook',
    edit: {
      field: 'Content (Markdown)',
      value: '# On call',
      from: String.raw`"text": "# Owner\n\n[the runbook](https:\/\/example.com)\u00e9"`,
      to: '"text": "# On call"',
    },
    chart: String.raw`{ "id": "no", "type": "Note", "variant": "default", "text": "# Owner\n\n[the runbook](https:\/\/example.com)\u00e9", "hideHeader": true }`,
  },
  {
    type: 'MonitorList',
    shows: /not there|none|no monitor/i,
    edit: renameEdit('Monitors', 'Ours'),
    chart: String.raw`{ "id": "ml", "type": "MonitorList", "name": "Monitors", "selectedMonitors": ["CTbPgZEyQFyAz5yvmx"], "columns": { "status": true, "history": true, "dataset": false, "type": true, "notifiers": false } }`,
  },
  {
    type: 'SmartFilter',
    shows: 'Service of the shop',
    edit: renameEdit('Filters', 'Narrow it'),
    chart: String.raw`{
      "id": "sf", "type": "SmartFilter", "name": "Filters", "logo": null,
      "filters": [
        { "id": "_text", "name": "Message has", "active": true, "type": "search", "selectType": "list", "options": "" },
        {
          "id": "_service", "name": "Service of the shop", "active": true, "type": "select", "selectType": "apl",
          "apl": { "apl": "['shop'] | distinct service | project key = service, value = service", "queryOptions": { "quickRange": "7d" } },
          "options": [{ "key": "All", "value": "", "default": true, "unset": false }]
        }
      ]
    }`,
  },
  {
    type: 'SectionHeader',
    shows: 'What has no query',
    edit: renameEdit('What has no query', 'Words'),
    chart: String.raw`{ "id": "se", "type": "SectionHeader", "name": "What has no query", "datasetId": "shop", "query": { "apl": "" } }`,
  },
  {
    type: 'Placeholder',
    shows: 'Empty slot',
    edit: { field: 'Name', value: 'Later', from: '"datasetId": "" }', to: '"datasetId": "", "name": "Later" }' },
    chart: '{ "id": "pl", "type": "Placeholder", "datasetId": "" }',
  },
  {
    type: 'Spacer',
    shows: '',
    edit: { field: 'Name', value: 'Air', from: '"type":  "Spacer"', to: '"type":  "Spacer", "name":  "Air"' },
    chart: '{ "id":  "sp", "type":  "Spacer" }',
  },
];

export const exportedBoard = ({ type, chart }: ExportedKind): string => String.raw`{
  "name": "Exported ${type}",
  "owner": "X-AXIOM-EVERYONE",
  "description": "As <exported> & \u00e9",
  "datasets": ["shop"],
  "charts": [
    ${chart}
  ],
  "layout": [
    { "i": ${/"id": +("[^"]+")/.exec(chart)![1]}, "x": 0, "y": 0.0, "w": 12, "h": 5, "minW": 0.5, "moved": false, "static": false }
  ],
  "refreshTime": 60.0,
  "schemaVersion": 2,
  "timeWindowStart": "qr-now-24h",
  "timeWindowEnd": "qr-now",
  "against": "",
  "overrides": { "rowHeight": 60, "big": 1769205867543185447 }
}`;
