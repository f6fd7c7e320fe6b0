import { describe, expect, it } from 'vitest';
import { call, one, statusOf } from './one.ts';

describe('dashboards as axiom-go sends them', () => {
  const uid = 'dash-1700000000000000000';
  const get = () => call('GET', `/v2/dashboards/uid/${uid}`);

  it('a private one of the caller with every kind of chart, written twice, listed and deleted', async () => {
    const dataset = await one.dataset();
    const { id: owner } = (await call('GET', '/v2/user')).body as { id: string };
    const query = { apl: `['${dataset}'] | summarize count()` };
    const asking = [
      'TimeSeries',
      'Heatmap',
      'LogStream',
      'Pie',
      'Scatter',
      'Table',
      'TopK',
      'Statistic',
      'SectionHeader',
    ];
    const charts = [
      ...asking.map((type) => ({ id: type.toLowerCase(), datasetId: dataset, type, name: type, query })),
      { id: 'note', type: 'Note', text: 'hello' },
      { id: 'monitors', type: 'MonitorList', name: 'M', selectedMonitors: ['gone'], columns: { status: true } },
      { id: 'filter', type: 'SmartFilter', name: 'F', filters: [{ type: 'search', id: 'sf-search' }] },
      { id: 'spacer', type: 'Spacer', name: 'S' },
      { id: 'placeholder', type: 'Placeholder' },
    ];
    const layout = charts.map(({ id }, i) => ({ i: id, x: (i % 3) * 4, y: Math.floor(i / 3) * 4, w: 4, h: 4 }));
    const window = { refreshTime: 60, schemaVersion: 2, timeWindowStart: 'qr-now-1h', timeWindowEnd: 'qr-now' };
    const dashboard = { name: 'all', owner, description: 'd', charts, layout, ...window };
    const made = await call('POST', '/v2/dashboards', { uid, dashboard, overwrite: true, message: 'create' });
    expect(made).toMatchObject({ status: 201, body: { status: 'created', dashboard: { uid } } });
    expect((await get()).body).toMatchObject({ dashboard });
    const renamed = { dashboard: { ...dashboard, name: 'updated' }, overwrite: true, message: 'update' };
    const updated = await call('PUT', `/v2/dashboards/uid/${uid}`, renamed);
    expect(updated).toMatchObject({ status: 200, body: { dashboard: { uid } } });
    expect((await call('GET', '/v2/dashboards')).body).toContainEqual((await get()).body);
    expect(await statusOf('DELETE', `/v2/dashboards/uid/${uid}`)).toBe(204);
    expect([(await get()).status, await statusOf('DELETE', `/v2/dashboards/uid/${uid}`)]).toEqual([404, 404]);
  });
});
