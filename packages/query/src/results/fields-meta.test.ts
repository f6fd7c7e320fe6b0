import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/** Field metadata in responses. */

const field = (name: string, type: string, said: object = {}) => ({
  name,
  type,
  unit: '',
  hidden: false,
  description: '',
  ...said,
});
const ip = field('ip', 'string');
const code = field('code', 'integer|string');
const ms = field('ms', 'float', { unit: 'ms', hidden: true, description: 'duration' });
const slow = field('slow', 'boolean', { unit: 'yes', description: 'too slow' });

describe('fields of an answer', () => {
  let world: EngineTestServer;
  beforeAll(async () => {
    world = await sharedTestServer();
    await world.dataset('logs', [
      { ip: 'a', code: 200, ms: 1.5, _time: '2026-05-01T10:00:00Z' },
      { ip: 'b', code: '304', ms: 2.5, _time: '2026-05-01T10:01:00Z' },
    ]);
    await world.dataset('more', [{ ms: 1, _time: '2026-05-01T10:00:00Z' }]);
    await world.send('PUT', '/v2/datasets/logs/fields/ms', { unit: 'ms', hidden: true, description: 'duration' });
    await world.send('PUT', '/v2/datasets/logs/fields/early', { unit: 'none' });
    const { hidden: _, ...said } = slow;
    await world.send('POST', '/v2/vfields', { dataset: 'logs', expression: 'ms > 2', ...said });
  });
  afterAll(() => world.close());

  const cases: readonly (readonly [string, Readonly<Record<string, readonly object[]>>])[] = [
    ['logs', { logs: [code, ip, ms, slow] }],
    ['logs | project ip, ms', { logs: [ip, ms] }],
    ['logs | project slow', { logs: [slow] }],
    ['logs | project early', { logs: [field('early', '', { unit: 'none' })] }],
    ['logs | summarize avg(ms) by code', { logs: [code, ms] }],
    ['logs | summarize avg(ms) by bin(_time, 1m)', { logs: [ms] }],
    ['logs | summarize made = count()', { logs: [] }],
    ['logs | project computed = ms * 2', { logs: [] }],
    ['union logs, more | project ms', { logs: [ms], more: [field('ms', 'integer')] }],
    ['print x = 1', {}],
  ];
  it.each(cases)('%s', async (apl, fieldsMetaMap) => expect(await world.apl(apl)).toMatchObject({ fieldsMetaMap }));

  it('of structured queries', async () => {
    const fieldsOf = async (body: object) => (await world.query<{ fieldsMeta: unknown }>('logs', body)).fieldsMeta;
    expect(await fieldsOf({})).toEqual([code, ip, ms, slow]);
    expect(await fieldsOf({ aggregations: [{ op: 'max', field: 'ms' }], groupBy: ['ip'] })).toEqual([ip, ms]);
  });

  it('are those said last', async () => {
    for (const unit of ['s', 'ms']) {
      await world.send('PUT', '/v2/datasets/logs/fields/ms', { unit });
      expect(await world.apl('logs | project ms')).toMatchObject({ fieldsMetaMap: { logs: [{ ...ms, unit }] } });
    }
  });
});
