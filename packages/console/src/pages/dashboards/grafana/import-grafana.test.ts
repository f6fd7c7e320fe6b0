import { parse } from '@millrace/apl/editor';
import { describe, expect, it } from 'vitest';
import { logQuery } from '../../../editor/translate/logql.js';
import { kindOf } from '../elements/element-table.js';
import { queryOf } from '../document/document.js';
import { grafanaDashboard } from './documents.js';
import { importGrafana } from './import-grafana.js';
import { panelKinds } from './panel-kinds.js';
import { exportedGrafana } from './testing/exported-grafana.js';

const importResult = importGrafana(grafanaDashboard(exportedGrafana)!, 'shop');
const { document } = importResult;
const chart = (name: string) => document.charts.find((each) => each['name'] === name)!;

describe('an exported Grafana dashboard', () => {
  it('keeps name, time range and refresh, within the limits of a dashboard', () =>
    expect(document).toMatchObject({
      name: 'Shop overview',
      timeWindowStart: 'qr-now-6h',
      timeWindowEnd: 'qr-now',
      refreshTime: 15,
    }));

  it('keeps panels with their units, thresholds and styles', () => {
    expect(chart('Errors')).toMatchObject({
      type: 'Statistic',
      description: 'Failed requests',
      unit: 'Abbreviated',
      decimals: 0,
      errorThreshold: 'AboveOrEqual',
      errorThresholdValue: '200',
      warningThresholdValue: '50',
      showChart: true,
    });
    expect(chart('Slow requests')).toMatchObject({ type: 'Gauge', unit: 'TimeMS', max: 2000, colorScale: 'green-red' });
    expect(chart('Requests')).toMatchObject({
      type: 'TimeSeries',
      customUnits: 'req/s',
      query: { queryOptions: { timeSeriesVariant: 'bars' } },
    });
    expect(chart('Timeouts')).toMatchObject({ type: 'LogStream', tableSettings: { settings: { wrapLines: true } } });
    expect(chart('About')).toMatchObject({ type: 'Note', text: '**On call**: see the runbook.' });
  });

  it('has queries without mistakes', () => {
    const queries = document.charts.flatMap((each) => {
      const query = queryOf(each);
      return 'apl' in query ? [query.apl] : [];
    });
    expect(queries).toHaveLength(importResult.translated);
    expect(queries.flatMap((apl) => parse(apl).diagnostics.map(({ message }) => `${apl}: ${message}`))).toEqual([]);
  });

  it('keeps as a note what it cannot translate, and says so', () => {
    expect(chart('CPU')).toMatchObject({ type: 'Note', text: expect.stringContaining('process_cpu_seconds_total') });
    expect(importResult.notes).toEqual([
      '“CPU”: the unit percentunit is not known',
      '“CPU”: PromQL is not translated',
      '“Map”: panels of type nodeGraph are not supported',
      'Variables without values: pod',
    ]);
    expect([importResult.panels, importResult.translated]).toEqual([10, 7]);
  });

  it('makes filters of variables', () =>
    expect(document.charts[0]).toMatchObject({
      type: 'SmartFilter',
      filters: [
        { id: '_service', name: 'Service', query: { apl: expect.stringContaining('tostring(service)') } },
        { id: '_level', options: [{ value: '' }, { key: 'info', value: 'info' }, { key: 'Errors', value: 'error' }] },
        { id: '_text', type: 'search' },
      ],
    }));

  it('has no overlapping elements, and each within twelve columns', () => {
    const places = document.layout as readonly { i: string; x: number; y: number; w: number; h: number }[];
    for (const a of places) {
      expect(a.x + a.w).toBeLessThanOrEqual(12);
      for (const b of places.filter(({ i }) => i !== a.i))
        expect(a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h, `${a.i} ${b.i}`).toBe(false);
    }
    const at = (name: string) => places.find(({ i }) => i === chart(name).id)!;
    expect(at('Requests')).toMatchObject({ x: 6, y: 1, w: 6 });
    expect(at('Search').y).toBeGreaterThan(at('Timeouts').y);
  });

  it('may have rows, as before version 16', () => {
    const old = grafanaDashboard({
      title: 'Old',
      rows: [
        {
          title: 'Traffic',
          showTitle: true,
          height: '250px',
          panels: [
            { type: 'singlestat', title: 'A', span: 4, format: 'percent', targets: [{ expr: 'rate({a="b"}[1m])' }] },
            { type: 'graph', title: 'B', span: 8, stack: true, yaxes: [{ format: 'Bps', logBase: 10 }] },
          ],
        },
      ],
    })!;
    const { document: made } = importGrafana(old, 'logs');
    expect(made.layout).toMatchObject([
      { x: 0, y: 0, w: 12, h: 1 },
      { x: 0, y: 1, w: 4 },
      { x: 4, y: 1, w: 8 },
    ]);
    expect(made.charts[1]).toMatchObject({ unit: 'Percent100', query: { apl: expect.stringContaining('rate(1)') } });
  });

  it('is distinguished from other documents, also inside an API response', () => {
    expect(grafanaDashboard({ dashboard: exportedGrafana, meta: {} })?.title).toBe('Shop overview');
    for (const other of [{ charts: [], layout: [] }, {}, null, [], 'x', { panels: 1 }])
      expect(grafanaDashboard(other)).toBeUndefined();
  });
});

it('each panel kind becomes an element that exists', () => {
  for (const { type, shape } of Object.values(panelKinds)) expect(kindOf(type)?.asks, type).toBe(shape !== undefined);
});

describe('LogQL', () => {
  it.each([
    ['{app="a"}', 'events', "logs\n| where app == 'a'"],
    [
      '{app=~"a|b", env!="dev"} |= "x" !~ "y.*"',
      'events',
      "logs\n| where app in ('a', 'b') and env != 'dev'\n| search 'x'\n| search not(* matches regex 'y.*')",
    ],
    [
      '{app=~"a.+"} | logfmt | level="error" | n > 5',
      'events',
      "logs\n| where app matches regex '^(?:a.+)$' and level == 'error' and n > 5",
    ],
    [
      '{app="$app"}',
      'events',
      "declare query_parameters (_app: string = '');\nlogs\n| where (isempty(_app) or app == _app)",
    ],
    [
      'sum(count_over_time({a="b"}[5m])) by (x)',
      'times',
      "logs\n| where a == 'b'\n| summarize value = count() by bin_auto(_time), x",
    ],
    [
      'topk(3, sum by (x) (count_over_time({a="b"}[1h])))',
      'groups',
      "logs\n| where a == 'b'\n| summarize value = count() by x\n| top 3 by value",
    ],
    [
      'avg_over_time({a="b"} | unwrap duration(took) [5m]) by (x)',
      'times',
      "logs\n| where a == 'b'\n| summarize value = avg(took) by bin_auto(_time), x",
    ],
    ['{a="b"}', 'times', "logs\n| where a == 'b'\n| summarize count() by bin_auto(_time)"],
  ] as const)('%s over %s', (text, shape, apl) => {
    expect(logQuery(text, 'logs', { shape })).toBe(apl);
    expect(parse(apl).diagnostics).toEqual([]);
  });

  it.each([
    ['sum(rate({a="b"}[5m])) / sum(rate({c="d"}[5m]))', '/ sum(rate('],
    ['absent_over_time({a="b"}[5m])', 'absent_over_time()'],
    ['{a="b"} | pattern "<ip> <_>"', '| pattern'],
    ['{a="pre-$x"}', 'pre-$x'],
    ['', 'the end of the query'],
  ])('cannot translate %s: names %s', (text, part) =>
    expect(() => logQuery(text, 'logs', { shape: 'times' })).toThrow(part),
  );
});
