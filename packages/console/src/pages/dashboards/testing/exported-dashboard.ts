/**
 * A dashboard as another server's API exports it, beyond its schema: property order and spelling,
 * numbers such as `60.0`, options as JSON strings, booleans as strings, properties of its editor.
 */
export const exportedText = String.raw`{
  "name": "Requests of the shop",
  "owner": "X-AXIOM-EVERYONE",
  "description": "As <exported> & \u00e9",
  "datasets": ["shop"],
  "charts": [
    {
      "id": "ab12",
      "type": "TimeSeries",
      "name": "Requests",
      "numSeries": 3,
      "modified": 1769205867543,
      "datasetId": "shop",
      "overrideDashboardTimeRange": "false",
      "overrideDashboardCompareAgainst": false,
      "query": {
        "apl": "['shop'] | summarize count() by bin_auto(_time), service",
        "libraries": [],
        "resolution": "auto",
        "queryOptions": {
          "aggChartOpts": "{\"{\\\"alias\\\":\\\"count_\\\",\\\"op\\\":\\\"count\\\"}\":{\"variant\":\"area\",\"scaleDistr\":\"linear\",\"displayNull\":\"auto\"}}",
          "containsTimeFilter": "false",
          "editorContent": "['shop'] | summarize count() by bin_auto(_time), service",
          "quickRange": "1h",
          "overlayCharts": "true"
        }
      }
    },
    {
      "id": "cd34",
      "type": "Statistic",
      "name": "Failures",
      "colorScheme": "Orange",
      "showChart": "true",
      "errorThreshold": "Above",
      "errorThresholdValue": "10",
      "unit": "Abbreviated",
      "decimals": 1.0,
      "query": { "apl": "['shop'] | where status >= 500 | summarize count()" }
    },
    { "id": "ef56", "type": "Note", "text": "# Owner\n\n| team | page |\n|---|---|\n| shop | on call |", "variant": "default" },
    {
      "id": "gh78",
      "type": "Table",
      "name": "Routes",
      "tableSettings": {
        "columns": [{ "name": "route", "width": 220 }, "count_"],
        "settings": { "fontSize": "12px", "wrapLines": false, "isLive": "OFF" }
      },
      "query": { "apl": "['shop'] | summarize count() by route" }
    }
  ],
  "layout": [
    { "i": "ab12", "x": 0, "y": 0, "w": 8, "h": 4, "moved": false, "static": false },
    { "i": "cd34", "x": 8, "y": 0, "w": 4, "h": 4.0, "minW": 0.5 },
    { "i": "ef56", "x": 0, "y": null, "w": 4, "h": 3 }
  ],
  "refreshTime": 60.0,
  "schemaVersion": 2,
  "timeWindowStart": "qr-now-24h",
  "timeWindowEnd": "qr-now",
  "against": "",
  "overrides": { "rowHeight": 60 }
}`;
