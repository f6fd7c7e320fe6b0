import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/** A result that is empty because of its time range has a message. */

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.dataset('logs', [{ _time: '2026-05-01T00:00:00Z', n: 1 }]);
});
afterAll(() => world.close());

const day = { startTime: '2026-05-01T00:00:00Z', endTime: '2026-05-01T23:59:59Z' };
const backwards = { startTime: day.endTime, endTime: day.startTime };
const ends = 'startTime is after endTime';
const later = 'where _time > datetime(2026-06-01)';

const queryMessages = async (apl: string, range: object, format?: string): Promise<readonly string[]> =>
  (await world.apl(`${apl} | take 5`, range, format)).status.messages.map(({ msg }) => msg);

describe('a range that begins after its end', () => {
  it.each(['tabular', 'legacy'])('%s', async (format) => {
    expect(await queryMessages('logs', backwards, format)).toEqual([ends]);
    expect(await queryMessages('logs', day, format)).toEqual([]);
  });

  it('of a structured query', async () => {
    for (const aggregations of [[], [{ op: 'count', field: '*' }]]) {
      const { status } = await world.query('logs', { ...backwards, aggregations });
      expect(status.messages).toEqual([
        { priority: 'warn', code: expect.stringMatching(/^apl_/) as string, count: 1, msg: ends },
      ]);
    }
    expect((await world.query('logs', day)).status.messages).toEqual([]);
  });

  it.each(['/v1/export', '/v2/datasets/_apl/delete'])(
    'is refused where nothing else could say so: %s',
    async (path) => {
      const { status, body } = await world.send('POST', path, { apl: 'logs', ...backwards });
      expect({ status, body }).toMatchObject({ status: 400, body: { message: ends } });
      expect((await world.send('POST', path, { apl: 'logs', ...day })).status).toBe(200);
    },
  );

  it('in one moment there is time enough', async () =>
    expect(await queryMessages('logs', { startTime: day.startTime, endTime: day.startTime })).toEqual([]));

  it('matters only where events are read', async () => expect(await queryMessages('print 1', backwards)).toEqual([]));
});

describe('conditions on _time', () => {
  it('exclude each other', async () =>
    expect(await queryMessages(`logs | ${later} and _time < datetime(2026-05-01)`, {})).toEqual([
      'no event can match: the conditions on _time exclude each other',
    ]));

  it('exclude the range of the request', async () => {
    const msg = 'no event can match: the conditions on _time and the time range of the request exclude each other';
    expect(await queryMessages(`logs | ${later}`, day)).toEqual([msg]);
    expect(
      await queryMessages(`logs | ${later}`, { startTime: day.startTime, endTime: '2026-07-01T00:00:00Z' }),
    ).toEqual([]);
    expect(await queryMessages(`union logs, (logs | ${later})`, day), 'one of two').toEqual([]);
  });

  it.each([
    { startTime: '2999-01-01T00:00:00Z', endTime: '3000-01-01T00:00:00Z' },
    { endTime: '1600-01-01T00:00:00Z' },
  ])('are not to blame for %j', async (range) => expect(await queryMessages('logs', range)).toEqual([]));
});
