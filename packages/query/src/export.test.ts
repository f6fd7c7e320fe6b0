import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { endWithTrailer } from './export.js';

describe('export', () => {
  let world: EngineTestServer;
  beforeAll(async () => {
    world = await openEngineTestServer();
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

  it('NDJSON whose numbers are of the same types when they are read again', async () => {
    const sent = [
      { _time: '2026-05-01T00:00:00Z', f: 1.5, g: 2.5, h: 4.5, i: 1, l: 1.5, s: 'x' },
      { _time: '2026-05-01T00:00:01Z', f: 'text', g: -3.5, h: 4, i: 2, l: [1, 2], s: 'x' },
    ];
    const written = JSON.stringify(sent).replaceAll('.5', '.0');
    await world.dataset('floats');
    await world.dataset('again');
    const ingest = (to: string, body: string) => world.send('POST', `/v1/datasets/${to}/ingest`, body);
    await ingest('floats', written);
    const { text } = await get('floats | project-away _sysTime | sort by _time asc');
    expect(`[${text.trim().replaceAll('\n', ',')}]`).toBe(written);
    await ingest('again', text);
    const fields = async (name: string) => (await get(`${name} | getschema | project ColumnName, ColumnType`)).text;
    expect(await fields('again')).toBe(await fields('floats'));
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

  it('resumes in the order of the query, with or without showing cursors', async () => {
    const lines = async (more: Record<string, string>) =>
      (await get('many | project _time, id | sort by _time asc', more)).text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: number; _time: string; _cursor?: string });
    const whole = await lines({ includeCursorField: 'true' });
    const { _cursor: cursor = '' } = whole[39_999]!;
    const plain = whole.map(({ _cursor, ...event }) => event);
    expect(await lines({ cursor })).toEqual(plain.slice(40_000));
    expect(await lines({ cursor, includeCursor: 'true' })).toEqual(plain.slice(39_999));
    const refused = await world.send<{ message: string }>('POST', '/v1/export', { apl: 'many | sort by id', cursor });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('not a result sorted by id')]);
  });

  describe('of rare fields', () => {
    const event = { _time: '2026-05-01T00:00:00Z', a: 1, 'text "t"': 'x "y"', n: 7, list: [1, 'z'], ok: true };
    const mixed = { _time: '2026-05-01T00:00:01Z', a: '1', n: '7', _rest: 1.5 };
    let crowded: EngineTestServer;
    beforeAll(async () => {
      crowded = await openEngineTestServer({ columnBudget: 16 });
      await crowded.dataset('rare');
      // One event in a thousand has each of these: too few for columns.
      const fillers = Array.from({ length: 1000 }, (_, i) => ({ a: 0, [`f${i}`]: i }));
      await crowded.ingest('rare', [...fillers, event, mixed]);
    });
    afterAll(() => crowded.close());

    const exportAs = (format: string, more: object = {}) =>
      crowded.send('POST', '/v1/export', {
        apl: 'rare | where _time < datetime(2026-05-02) | project-away _sysTime | sort by _time asc',
        format,
        ...more,
      });

    it('NDJSON has them as members', async () => {
      const lines = (text: string) =>
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines((await exportAs('ndjson')).text)).toEqual([event, mixed]);
      const withCursors = lines((await exportAs('ndjson', { includeCursorField: true })).text);
      expect(withCursors).toEqual([event, mixed].map((each) => ({ ...each, _cursor: expect.any(String) as string })));
      const { _cursor: cursor } = withCursors[0]!;
      expect(lines((await exportAs('ndjson', { cursor })).text)).toEqual([mixed]);
    });

    it('NDJSON of an event with very many, between others', async () => {
      const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`many.${n}`, n % 2 === 0 ? n : `${n}`]));
      const events = [0, 1, 2].map((n) => ({ _time: `2026-06-01T00:00:0${n}Z`, a: n, ...(n === 1 && many) }));
      await crowded.ingest('rare', events);
      const apl =
        'rare | where _time between (datetime(2026-06-01) .. datetime(2026-06-02)) | project-away _sysTime | sort by _time asc';
      const { text } = await crowded.send('POST', '/v1/export', { apl, format: 'ndjson' });
      expect(
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual(events);
    });

    it('CSV has them in one column that no field is called like', async () => {
      const [header = '', ...rows] = (await exportAs('csv', { includeCursorField: true })).text.trimEnd().split('\n');
      const names = header.split(',').map((name) => name.slice(1, -1));
      expect(names).toContain('_rest');
      expect(names.at(-1)).toBe('_cursor');
      for (const [row, whole] of [
        [rows[0]!, event],
        [rows[1]!, mixed],
      ] as const) {
        const [, object = ''] = /"(\{.*\})","[0-9a-f-]+"$/.exec(row) ?? [];
        const rest = JSON.parse(object.replaceAll('""', '"')) as Record<string, unknown>;
        expect(whole).toMatchObject(rest);
        // Everything is somewhere, and once.
        for (const name of Object.keys(whole).filter((each) => each !== '_rest'))
          expect(name in rest, name).toBe(!names.includes(name));
      }
    });

    it('Parquet too', async () => {
      const answer = await fetch(`${crowded.url}/v1/export`, {
        method: 'POST',
        headers: { authorization: `Bearer ${crowded.owner}` },
        body: JSON.stringify({ apl: 'rare', format: 'parquet', includeCursorField: true }),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect([answer.status, bytes.subarray(-4).toString(), bytes.includes('_rest')]).toEqual([200, 'PAR1', true]);
    });
  });

  it('CSV', async () => {
    await world.dataset('csv', [
      { a: 'x,"y"\nz', 'b "c"': 1.5, tags: [1], _time: '2026-05-01T00:00:00Z' },
      { a: 'é', tags: 'none', _time: '2026-05-01T00:00:01Z' },
    ]);
    const { text } = await get('csv | project _time, a, ["b \\"c\\""], tags', { format: 'csv' });
    expect(text).toBe(
      '"_time","a","b ""c""","tags"\n"2026-05-01T00:00:01Z","é",,"none"\n"2026-05-01T00:00:00Z","x,""y""\nz",1.5,"[1]"\n',
    );
    // Many parsers would not read an empty line as a row.
    expect((await get('csv | project ["b \\"c\\""]', { format: 'csv' })).text).toBe('"b ""c"""\n""\n1.5\n');
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

  it('Parquet of a field without a name', async () => {
    await world.dataset('unnamed', [{ '': 'nameless', _empty: 1, _time: '2026-05-01T00:00:00Z' }]);
    const answer = await fetch(`${world.url}/v1/export?apl=unnamed&format=parquet`, {
      headers: { authorization: `Bearer ${world.owner}` },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, bytes.subarray(-4).toString()]).toEqual([200, 'PAR1']);
    for (const text of ['nameless', '_empty', '_empty_']) expect(bytes.includes(text), text).toBe(true);
    expect((await get('unnamed')).text).toContain('"":"nameless"');
    expect((await get('unnamed | project ["_empty"], [""]', { format: 'csv' })).text).toContain('"_empty",""\n');
  });

  it('Parquet that fails later on does not end as a file does', async () => {
    const failingChunks = async function* (fails: boolean) {
      yield* ['first', 'second', 'end'].map((text) => Buffer.from(text));
      if (fails) throw new Error('the query fails');
    };
    const came: string[] = [];
    const read = async (fails: boolean): Promise<void> => {
      for await (const piece of endWithTrailer(failingChunks(fails))) came.push(Buffer.from(piece).toString());
    };
    await expect(read(true)).rejects.toThrow('the query fails');
    expect(came.splice(0)).toEqual(['first', 'second']);
    await read(false);
    expect(came).toEqual(['first', 'second', 'end']);
  });

  it('a query that cannot run is an error, not a short file', async () => {
    expect(await get('nosuch')).toMatchObject({ status: 400 });
    expect(await get('logs', { format: 'xml' })).toMatchObject({ status: 400 });
    expect((await world.send('GET', '/v1/queries')).body).toEqual([]);
  });
});
