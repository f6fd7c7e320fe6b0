import { beforeAll } from 'vitest';
import { openConsoleServer, fill, shopEnd } from '../../testing/console-server.js';
import { looksGood, press } from '../../testing/screenshots.js';

/** Screenshots of the monitors and notifiers pages: many, firing, and with a failing query. */

const ids: Record<string, string> = {};

beforeAll(async () => {
  const { request } = await openConsoleServer();
  const make = async (
    path: string,
    body: { readonly name: string } & Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    const { status, body: answer } = await request(path, { body: JSON.stringify(body) });
    if (status !== 200) throw new Error(JSON.stringify(answer));
    ids[body.name] = (answer as { id: string }).id;
  };
  const minute = 60_000;
  const events = Array.from({ length: 240 }, (_, index) => ({
    _time: new Date(shopEnd - index * minute).toISOString(),
    failures: index < 12 || (index > 90 && index < 110) ? 40 + (index % 7) : index % 5,
    region: index % 2 === 0 ? 'eu' : 'us',
    host: `eu-${'long-'.repeat(40)}${index % 2}`,
  }));
  await fill(request, 'pictured', events);
  await make('/v2/notifiers', { name: 'On call', properties: { webhook: { url: 'http://127.0.0.1:9/hook' } } });
  const base = {
    type: 'Threshold',
    operator: 'Above',
    intervalMinutes: 1,
    rangeMinutes: 60,
    notifierIds: [ids['On call']],
  };
  const query = 'pictured\n| summarize max(failures) by bin(_time, 1m)';
  await make('/v2/monitors', { ...base, name: 'Failed requests', threshold: 20, intervalMinutes: 5, aplQuery: query });
  await make('/v2/monitors', {
    ...base,
    name: 'Failures by region',
    threshold: 20,
    aplQuery: 'pictured | summarize max(failures) by region',
    notifyByGroup: true,
  });
  await make('/v2/monitors', {
    ...base,
    name: 'Failures by host',
    threshold: 20,
    aplQuery: 'pictured | summarize max(failures) by host',
    notifyByGroup: true,
  });
  await make('/v2/monitors', { ...base, name: 'Column gone', aplQuery: 'pictured | count', columnName: 'nothing' });
  await make('/v2/monitors', {
    name: 'New errors',
    type: 'MatchEvent',
    aplQuery: 'pictured | where failures > 1000',
    notifierIds: [ids['On call']],
  });
  for (let index = 1; index <= 16; index++)
    await make('/v2/monitors', {
      ...base,
      name: `Traffic of shard ${index}`,
      threshold: 1e5,
      disabled: index === 7,
      aplQuery: 'shop | summarize count() by bin(_time, 5m)',
    });
});

looksGood([
  {
    name: 'monitors-none',
    path: 'monitors?q=nothing-is-called-this',
    ready: (page) => page.getByText('No monitors match'),
  },
  {
    name: 'monitors',
    path: 'monitors',
    ready: (page) => page.getByText('Query failed'),
    opens: {
      'monitors/list-page': async (page) => {
        await page.getByRole('checkbox').nth(1).press('Space');
        await press(/^Mute/)(page);
      },
    },
  },
  {
    name: 'monitor',
    path: () => `monitors/${ids['Failed requests']}`,
    ready: (page) => page.getByText('On call', { exact: false }),
    opens: { 'monitors/monitor-page': press('Delete'), 'widgets/overlays/mute-menu': press(/^Mute/) },
  },
  {
    name: 'monitor-groups',
    path: () => `monitors/${ids['Failures by host']}`,
    ready: (page) => page.getByRole('button', { name: /^Silence host: eu-long/ }),
  },
  {
    name: 'monitor-broken',
    path: () => `monitors/${ids['Column gone']}`,
    ready: (page) => page.getByText(/The last run failed/),
  },
  {
    name: 'monitor-edit',
    path: () => `monitors/${ids['Failed requests']}/edit`,
    ready: (page) => page.getByText(/^Would/),
  },
  {
    name: 'notifier',
    path: () => `notifiers?id=${ids['On call']}`,
    ready: (page) => page.getByText('Current value of 42'),
  },
]);
