import { describe, expect, it } from 'vitest';
import { call, one, statusOf } from './one.ts';

describe('monitors and notifiers as axiom-go sends them', () => {
  /** Values that Go sends for unset properties. */
  const zero = { createdAt: '0001-01-01T00:00:00Z', createdBy: '', updatedAt: '0001-01-01T00:00:00Z' };
  const unset = { ...zero, disabledUntil: '0001-01-01T00:00:00Z', id: '' };
  const same = async (kind: string, id: string, body: unknown) => {
    expect((await call('GET', `/v2/${kind}/${id}`)).body).toEqual(body);
    expect((await call('GET', `/v2/${kind}`)).body).toContainEqual(body);
  };
  const idOf = ({ body }: { readonly body: unknown }): string => (body as { id: string }).id;

  it('a custom webhook with capital names reads back identical, secrets of headers included', async () => {
    const custom = {
      URL: 'http://example.com',
      Headers: { Authorization: 'Bearer x' },
      Body: '{\n\t"a": "{{.Action}}"\n}',
    };
    const made = await call('POST', '/v2/notifiers', { ...unset, name: 'n', properties: { customWebhook: custom } });
    expect(made).toMatchObject({
      status: 200,
      body: { properties: { customWebhook: { url: custom.URL, headers: custom.Headers, body: custom.Body } } },
    });
    await same('notifiers', idOf(made), made.body);
    expect(await statusOf('DELETE', `/v2/notifiers/${idOf(made)}`)).toBe(204);
  });

  it('update = get = list element; a delay of ten seconds, two of three runs and a snooze', async () => {
    const dataset = await one.dataset();
    const monitor = {
      ...unset,
      name: 'Test Monitor',
      type: 'Threshold',
      aplQuery: `['${dataset}'] | summarize count()`,
      mplQuery: '',
      operator: 'BelowOrEqual',
      threshold: 1,
      intervalMinutes: 1,
      rangeMinutes: 5,
      secondDelay: 10,
      notifyEveryRun: true,
      triggerFromNRuns: 3,
      triggerAfterNPositiveResults: 2,
      notifierIDs: null,
      resolvable: false,
    };
    const made = await call('POST', '/v2/monitors', monitor);
    expect(made).toMatchObject({
      status: 200,
      body: { secondDelay: 10, triggerFromNRuns: 3, triggerAfterNPositiveResults: 2 },
    });
    const disabledUntil = new Date(Date.now() + 600_000).toISOString().replace('Z', '123456Z');
    const updated = await call('PUT', `/v2/monitors/${idOf(made)}`, { ...monitor, disabledUntil });
    expect(updated.body).toMatchObject({ disabledUntil, disabled: false });
    await same('monitors', idOf(made), updated.body);
    expect(await call('DELETE', `/v2/monitors/${idOf(made)}`)).toMatchObject({ status: 204, body: undefined });
  });

  it.each([
    ['matching events', { type: 'MatchEvent', operator: '', intervalMinutes: 0, rangeMinutes: 0 }],
    ['an anomaly', { type: 'AnomalyDetection', operator: 'Below', tolerance: 5, compareDays: 7 }],
  ])('%s', async (_, more) => {
    const query = more.type === 'MatchEvent' ? '' : ' | summarize count() by bin_auto(_time)';
    const body = { ...unset, name: 'm', aplQuery: `['${await one.dataset()}']${query}`, ...more };
    const made = await call('POST', '/v2/monitors', body);
    expect(made.status).toBe(200);
    const off = await call('PUT', `/v2/monitors/${idOf(made)}`, { ...body, disabled: true });
    expect(off.body).toMatchObject({ disabled: true, type: more.type });
    await same('monitors', idOf(made), off.body);
  });

  it('every field reads back as it was sent', async () => {
    const notifier = await call('POST', '/v2/notifiers', { name: 'n', properties: { email: { emails: ['a@b.c'] } } });
    const sent = {
      name: 'every field',
      type: 'AnomalyDetection',
      description: 'd',
      aplQuery: `['${await one.dataset()}'] | summarize n = count() by bin(_time, 1m), s`,
      operator: 'AboveOrBelow',
      threshold: 1.5,
      columnName: 'n',
      intervalMinutes: 3,
      rangeMinutes: 90,
      secondDelay: 30,
      alertOnNoData: true,
      notifyByGroup: true,
      notifyEveryRun: true,
      skipResolved: true,
      resolvable: true,
      triggerFromNRuns: 5,
      triggerAfterNPositiveResults: 2,
      tolerance: 2.5,
      compareDays: 7,
      disabled: true,
      disabledUntil: '2999-01-01T00:00:00.123456789Z',
      notifierIds: [idOf(notifier)],
    };
    const made = await call('POST', '/v2/monitors', sent);
    expect(made).toMatchObject({ status: 200, body: sent });
    await same('monitors', idOf(made), made.body);
  });

  it('MPL over a dataset of events is kept, and reads back in aplQuery', async () => {
    const mplQuery = `\`${await one.dataset()}\`:\`my-metric\` | align to 5s using avg`;
    const body = { ...unset, name: 'm', type: 'Threshold', operator: 'Above', aplQuery: '', mplQuery };
    const made = await call('POST', '/v2/monitors', body);
    expect(made).toMatchObject({ status: 200, body: { aplQuery: mplQuery } });
    expect(made.body).not.toHaveProperty('mplQuery');
    await same('monitors', idOf(made), made.body);
    // Sends back the monitor that was read, muted.
    const { id, updatedAt: _, ...read } = made.body as { readonly id: string; readonly updatedAt: string };
    const muted = { ...read, disabledUntil: '2999-01-01T00:00:00Z' };
    expect(await call('PUT', `/v2/monitors/${id}`, muted)).toMatchObject({ status: 200, body: muted });
    expect(await call('GET', `/v2/monitors/${id}?include=mplQuery`)).toMatchObject({
      body: { aplQuery: '', mplQuery },
    });
    expect(await statusOf('PUT', `/v2/monitors/${id}`, { ...muted, mplQuery })).toBe(400);
  });
});
