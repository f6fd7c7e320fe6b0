import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineWorld, openEngineWorld } from '../testing/engine-world.js';

describe('export', () => {
  let world: EngineWorld;
  beforeAll(async () => {
    world = await openEngineWorld();
    await world.dataset('logs', [{ n: 1 }]);
  });
  afterAll(() => world.close());

  const get = (query: string, more: Record<string, string> = {}) =>
    world.send('GET', `/v1/export?${new URLSearchParams({ apl: query, ...more }).toString()}`, undefined);

  it('NDJSON of everything, beyond any limit', async () => {
    await world.dataset('many');
    for (let i = 0; i < 6; i++)
      await world.ingest(
        'many',
        Array.from({ length: 10_000 }, (_, n) => ({ id: 10_000 * i + n, tags: ['a\n"', i] })),
      );
    const { text, headers } = await get('many');
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; tags: unknown });
    expect(new Set(lines.map(({ id }) => id)).size).toBe(60_000);
    expect(lines[0]).toEqual({
      _sysTime: expect.any(String) as string,
      _time: expect.any(String) as string,
      id: 59_999,
      tags: ['a\n"', 5],
    });
  });

  it('resumes behind a cursor', async () => {
    const lines = async (more: Record<string, string>) =>
      (await get('many | project id', { includeCursorField: 'true', ...more })).text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: number; _cursor: string });
    const whole = await lines({});
    expect(await lines({ cursor: whole[39_999]!._cursor })).toEqual(whole.slice(40_000));
  });

  it('CSV', async () => {
    await world.dataset('csv', [
      { a: 'x,"y"\nz', 'b "c"': 1.5, tags: [1], _time: '2026-05-01T00:00:00Z' },
      { a: 'é', _time: '2026-05-01T00:00:01Z' },
    ]);
    const { text } = await get('csv | project _time, a, ["b \\"c\\""], tags', { format: 'csv' });
    expect(text).toBe(
      '"_time","a","b ""c""","tags"\n"2026-05-01T00:00:01Z","é",,\n"2026-05-01T00:00:00Z","x,""y""\nz",1.5,"[1]"\n',
    );
  });

  it('Parquet', async () => {
    const answer = await fetch(`${world.url}/v1/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.owner}` },
      body: JSON.stringify({ apl: 'csv', format: 'parquet' }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()]).toEqual([
      200,
      'PAR1',
      'PAR1',
    ]);
    for (const name of ['_time', 'b "c"', 'tags']) expect(bytes.includes(name), name).toBe(true);
  });

  it('a query that cannot run is an error, not a short file', async () => {
    expect(await get('nosuch')).toMatchObject({ status: 400 });
    expect(await get('logs', { format: 'xml' })).toMatchObject({ status: 400 });
    expect((await world.send('GET', '/v1/queries')).body).toEqual([]);
  });
});
