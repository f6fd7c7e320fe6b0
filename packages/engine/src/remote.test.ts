import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { openRemote } from './open-remote.js';
import type { RemoteOptions } from './remote.js';
import { ClaimError, minVersion } from './remote-claim.js';
import type { Engine } from './engine.js';
import { engineContract } from './testing/contract.js';
import { blockOf, collect, errorOf, text, waitUntil } from './testing/engines.js';
import { clickHouseLogin, whyNoClickHouse } from './testing/clickhouse.js';
import { type HttpFront, openHttpFront } from './testing/http-front.js';
import { openScriptedServer } from './testing/fake-server.js';

const absent = (await whyNoClickHouse()) !== undefined;
const login = { ...clickHouseLogin, database: 'default' };
const newOwner = () => ({ id: randomUUID(), known: false });

describe.skipIf(absent)('behind it a ClickHouse server:', () => {
  engineContract('remote', async () => {
    const front = await openHttpFront();
    const engine = await openRemote({ ...login, url: front.url, owner: newOwner() });
    return { engine, end: () => engine.close().then(() => front.end()) };
  });
});

const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function openFront(): Promise<HttpFront> {
  const front = await openHttpFront();
  ends.push(() => front.end());
  return front;
}

async function open(url: string, options: Partial<RemoteOptions> = {}): Promise<Engine> {
  const engine = await openRemote({ ...login, url, owner: newOwner(), watchMilliseconds: 50, ...options });
  ends.push(() => engine.close());
  return engine;
}

async function server(...how: Parameters<typeof openScriptedServer>) {
  const opened = await openScriptedServer(...how);
  ends.push(opened.stop);
  return opened;
}

describe('requests', () => {
  it.skipIf(absent)('carry the login, settings, limits and priority', async () => {
    const front = await openFront();
    const engine = await open(front.url);
    await engine.query('SELECT 1', {
      format: 'CSV',
      limits: { maxSeconds: 7 },
      priority: 'high',
      settings: { max_threads: 1 },
    });
    const { address, headers } = front.requests.find(({ sql }) => sql === 'SELECT 1')!;
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`);
    expect(address.href).not.toContain(login.password);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      default_format: 'CSV',
      wait_end_of_query: '1',
      send_progress_in_http_headers: '0',
      readonly: '2',
      join_use_nulls: '1',
      max_execution_time: '7',
      max_threads: '1',
      priority: '1',
    });
  });

  it.skipIf(absent)('carry the remaining time of all statements together', async () => {
    const front = await openFront();
    const engine = await open(front.url);
    const ask = (left: number) =>
      engine.query('SELECT 1', { format: 'CSV', limits: { maxSeconds: 7 }, deadline: performance.now() + left });
    await ask(2000);
    const { address } = front.requests.find(({ sql }) => sql === 'SELECT 1')!;
    const seconds = Number(address.searchParams.get('max_execution_time'));
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThanOrEqual(2);
    await expect(ask(0)).rejects.toMatchObject({ code: 'time-limit' });
  });

  it('go below the path of the address, where a proxy has one', async () => {
    const { url, seen } = await server((_sql, response) => void response.end('1\n'));
    const engine = await open(`${url}/behind/proxy`);
    expect(await text(engine, 'SELECT 1')).toBe('1');
    expect(seen[0]!.address.pathname).toBe('/behind/proxy/');
  });

  it('for queries are sent again when the server has just closed a connection that was kept', async () => {
    let requests = 0;
    const { url, seen } = await server((_sql, response, request) => {
      requests += 1;
      if (requests === 2) request.socket.destroy();
      else response.end('1\n');
    });
    const engine = await open(url);
    expect([await text(engine, 'SELECT 1'), await text(engine, 'SELECT 2')]).toEqual(['1', '1']);
    expect(seen.map(({ sql }) => sql)).toEqual(['SELECT 1', 'SELECT 2', 'SELECT 2']);
    // The first may still run there, and names are unique.
    const [, first, second] = seen.map(({ address }) => address.searchParams.toString());
    expect(second).toBe(`${first}&replace_running_query=1`);
  });

  it('fail as the server says, also when it says so after a status of 200', async () => {
    const refused = 'Code: 62. DB::Exception: Syntax error';
    const { url } = await server((sql, response) => {
      const number = { 'X-ClickHouse-Exception-Code': '62' };
      if (sql === 'a') response.writeHead(400, number).end(refused);
      else if (sql === 'b') response.writeHead(200, number).end(refused);
      else response.writeHead(502).end('<html>');
    });
    const engine = await open(url);
    expect((await errorOf(engine.query('a', { format: 'CSV' }))).code).toBe('rejected');
    expect((await errorOf(engine.query('b', { format: 'CSV' }))).code).toBe('rejected');
    expect(await errorOf(engine.query('c', { format: 'CSV' }))).toMatchObject({
      code: 'unavailable',
      detail: expect.stringContaining('502'),
    });
  });

  it('that are aborted are killed on the server', async () => {
    const { url, seen } = await server(() => undefined);
    const engine = await open(url);
    const abort = new AbortController();
    const query = errorOf(engine.query('SELECT 1', { format: 'CSV', signal: abort.signal }));
    await waitUntil('the server has it', () => seen.length === 1);
    abort.abort();
    expect((await query).code).toBe('cancelled');
    await waitUntil('the kill arrives', () => seen.length === 2);
    expect(seen[1]!.sql).toBe(`KILL QUERY WHERE query_id = '${seen[0]!.address.searchParams.get('query_id')}' ASYNC`);
  });

  it('are canceled when the engine closes, including unread streams', async () => {
    const { url, seen } = await server((_sql, response, request) => {
      if (request.url?.includes('default_format=CSV') === true) response.write('1\n');
    });
    const engine = await open(url, { closeMilliseconds: 300 });
    const stream = engine.stream('SELECT 1', { format: 'CSV' })[Symbol.asyncIterator]();
    expect(Buffer.from((await stream.next()).value!).toString()).toBe('1\n');
    const query = errorOf(engine.query('SELECT 1', { format: 'TabSeparated' }));
    await waitUntil('the server has both', () => seen.length === 2);
    await Promise.all([engine.close(), engine.close()]);
    expect((await query).code).toBe('cancelled');
    expect((await errorOf(stream.next())).code).toBe('cancelled');
    expect((await errorOf(engine.query('SELECT 1', { format: 'CSV' }))).code).toBe('unavailable');
    expect((await errorOf(collect(engine.stream('SELECT 1', { format: 'CSV' })))).code).toBe('unavailable');
  });

  it('that run are waited for when the engine is closed, streams too', async () => {
    const { url, seen } = await server((_sql, response) => void setTimeout(() => response.end('1\n'), 200));
    const engine = await open(url, { closeMilliseconds: 60_000 });
    const over: string[] = [];
    void text(engine, 'SELECT 1').then((answer) => over.push(answer));
    void collect(engine.stream('SELECT 1', { format: 'CSV' })).then((answer) => over.push(answer.toString().trim()));
    await waitUntil('the server has both', () => seen.length === 2);
    await engine.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(over).toEqual(['1', '1']);
  });

  it('whose answer breaks off fail, with the reason if the server gave one', async () => {
    const { url } = await server((sql, response) => {
      response.write('1\n2\n');
      if (sql === 'SELECT said')
        response.write('\r\n__exception__\r\ntag\r\nCode: 159. DB::Exception: Timeout\n34 tag\r\n');
      if (sql === 'SELECT said at length') {
        const said = `Code: 241. DB::Exception: Memory limit exceeded: ${'x'.repeat(16_000)}`;
        response.write(`\r\n__exception__\r\ntag\r\n${said}\n${said.length} tag\r\n__exception__\r\n`);
      }
      setTimeout(() => response.destroy(), 20);
    });
    const engine = await open(url);
    expect((await errorOf(engine.query('SELECT 1', { format: 'CSV' }))).code).toBe('unavailable');
    expect((await errorOf(collect(engine.stream('SELECT 1', { format: 'CSV' })))).code).toBe('unavailable');
    expect((await errorOf(collect(engine.stream('SELECT said', { format: 'CSV' })))).code).toBe('time-limit');
    const atLength = errorOf(collect(engine.stream('SELECT said at length', { format: 'CSV' })));
    expect((await atLength).code).toBe('memory-limit');
  });

  it('that define a table are not sent to a full disk, where the definition would be empty', async () => {
    let small = '1';
    const { url, seen } = await server((sql, response) => void response.end(sql.includes('free_space') ? small : ''));
    const engine = await open(url, { reserveBytes: 1000 });
    const define = () => engine.execute('ALTER TABLE t ADD COLUMN a Int8', { defines: { database: 'd', table: 't' } });
    expect(await errorOf(define())).toMatchObject({ code: 'disk-full', outcome: 'elsewhere' });
    small = '0';
    await define();
    await engine.execute('ALTER TABLE t DROP PARTITION 1');
    expect(seen.map(({ sql }) => sql.slice(0, 12))).toEqual([
      'SELECT count', // of disks with less room than that
      'SELECT count',
      'ALTER TABLE ',
      'ALTER TABLE ',
    ]);
    expect(seen[0]!.sql).toContain('free_space < 1000');
  });

  it('for streams are not trusted when the end of the answer could be anywhere', async () => {
    const { url } = await server((_sql, response) => {
      response.useChunkedEncodingByDefault = false;
      response.end('1\n');
    });
    const engine = await open(url);
    expect((await errorOf(collect(engine.stream('SELECT 1', { format: 'CSV' })))).detail).toContain('where it ends');
  });

  it.skipIf(absent)(
    'that the server does not answer: the engine waits to open, or is down until it answers again',
    async () => {
      const front = await openFront();
      await front.stop();
      const opening = open(front.url);
      const late = await errorOf(openRemote({ ...login, url: front.url, owner: newOwner(), startMilliseconds: 100 }));
      expect([late.code, late.detail]).toEqual(['unavailable', 'ECONNREFUSED']);
      await front.start();
      const engine = await opening;
      let readies = 0;
      engine.onReady(() => {
        throw new Error('of a listener');
      });
      engine.onReady(() => (readies += 1));
      await front.stop();
      await waitUntil('it is down', () => engine.health().state === 'down');
      expect(engine.health().reason).toBe('ClickHouse does not answer (ECONNREFUSED)');
      await front.start();
      await waitUntil('it is ready again', () => engine.health().state === 'ready');
      expect([readies, engine.health().restarts]).toEqual([2, 1]);
    },
  );
});

describe('a statement without a response', () => {
  const rows = (engine: Engine) => text(engine, 'SELECT count() FROM default.t');

  async function withTable() {
    const front = await openFront();
    const engine = await open(front.url);
    await engine.execute('CREATE TABLE default.t (n UInt64) ENGINE = MergeTree ORDER BY n');
    const columns = [{ name: 'n', type: 'UInt64' }];
    return {
      front,
      engine,
      block: await blockOf(engine, 'SELECT number AS n FROM numbers(10)', { table: 't', columns }),
    };
  }

  it.skipIf(absent)('may have been executed: what follows sees whether it was', async () => {
    const { front, engine, block } = await withTable();
    let readies = 0;
    engine.onReady(() => (readies += 1));
    front.watch = (moment, sql, cut) => {
      if (moment === 'after' && sql.startsWith('INSERT')) cut();
    };
    const error = await errorOf(engine.insert(block));
    expect([error.code, error.retryable]).toEqual(['unavailable', true]);
    await waitUntil('it is ready again', () => engine.health().state === 'ready');
    expect([await rows(engine), readies]).toEqual(['10', 2]);
    front.watch = () => undefined;
    await engine.insert(block);
    expect(await rows(engine)).toBe('20');
  });

  it.skipIf(absent)('cannot be executed later, however long it was on its way', async () => {
    const { front, engine, block } = await withTable();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    front.watch = async (moment, sql, cut) => {
      if (moment !== 'before' || !sql.startsWith('INSERT')) return;
      front.watch = () => undefined;
      cut();
      await released;
    };
    expect((await errorOf(engine.insert(block))).code).toBe('unavailable');
    await waitUntil('it is ready again', () => engine.health().state === 'ready');
    expect(await rows(engine)).toBe('0');
    await engine.insert(block);
    let over = false;
    front.watch = (_moment, sql) => void (over ||= sql.startsWith('SELECT 5'));
    release();
    await waitUntil('the late one was tried', async () => (await text(engine, 'SELECT 5')) === '5' && over);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await rows(engine)).toBe('10');
  });

  it.skipIf(absent)('keeps everything else waiting while it runs, and is killed', async () => {
    const { front, engine } = await withTable();
    front.watch = (moment, sql, cut) => {
      if (moment === 'before' && sql.includes('numbers(1000000000000)')) setTimeout(cut, 300);
      // Makes the renewal long enough to be observed.
      if (moment === 'before' && sql.startsWith('KILL')) return new Promise((resolve) => setTimeout(resolve, 300));
    };
    const endless = "INSERT INTO FUNCTION null('n UInt64') SELECT count() FROM numbers(1000000000000)";
    expect((await errorOf(engine.execute(endless))).code).toBe('unavailable');
    expect(engine.health().state).toBe('restarting');
    expect((await errorOf(engine.query('SELECT 1', { format: 'CSV' }))).code).toBe('unavailable');
    await waitUntil('it is ready again', () => engine.health().state === 'ready');
    const left =
      "SELECT count() FROM system.processes WHERE query LIKE '%numbers(1000000000000)%' AND query NOT LIKE '%LIKE%'";
    expect(await front.server.run(left)).toBe('0');
  });

  it('is not queried after the engine is closed', async () => {
    const owner = newOwner();
    let claim = '';
    let left = '0';
    let requests = 0;
    const http = createServer((request, response) => void answer(request, response));
    async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const sql = (await buffer(request)).toString('latin1');
      claim = /'([^']*)' AS claim$/.exec(sql)?.[1] ?? claim;
      if (sql.startsWith('ALTER')) return void request.socket.destroy();
      if (sql.includes('count()')) requests += 1;
      const answers = { 'version()': '99.1', 'arrayJoin([owner': `${owner.id}\n${claim}`, 'count()': left };
      const [, lines] = Object.entries(answers).find(([part]) => sql.includes(part)) ?? [];
      response.end(lines === undefined ? '' : `${lines}\n`);
    }
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    ends.push(() => {
      http.closeAllConnections();
      http.close();
    });
    const engine = await open(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { owner });
    // A statement that cannot be killed.
    left = '1';
    expect((await errorOf(engine.execute('ALTER TABLE t DROP PARTITION 1'))).code).toBe('unavailable');
    const before = requests;
    await waitUntil('it was asked about', () => requests > before + 1);
    await engine.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const then = requests;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect([requests, engine.health().state]).toEqual([then, 'closed']);
  });

  it.skipIf(absent)('is over when the next process of the same owner has opened the database', async () => {
    const front = await openFront();
    const owner = newOwner();
    const killed = await open(front.url, { owner });
    await killed.execute('CREATE TABLE default.t (n UInt64) ENGINE = MergeTree ORDER BY n');
    await killed.execute('SYSTEM STOP MERGES default.t');
    const endless =
      'INSERT INTO default.t SELECT sum(sleepEachRow(0.001)) FROM numbers(1000000) SETTINGS max_block_size = 1';
    const running = errorOf(killed.execute(endless));
    await waitUntil('it runs', () => front.requests.some(({ sql }) => sql === endless));
    const engine = await open(front.url, { owner: { ...owner, known: true } });
    expect(await rows(engine)).toBe('0');
    expect((await running).code).toBe('cancelled');
    for (let i = 0; i < 2; i++) await engine.execute(`INSERT INTO default.t VALUES (${i})`);
    await engine.execute('OPTIMIZE TABLE default.t');
    expect(await text(engine, "SELECT count() FROM system.parts WHERE active AND table = 't'")).toBe('1');
    // The owner considered dead can do no harm.
    const columns = [{ name: 'n', type: 'UInt64' }];
    const block = await blockOf(engine, 'SELECT number AS n FROM numbers(10)', { table: 't', columns });
    expect((await errorOf(killed.insert(block))).code).toBe('unavailable');
    await waitUntil('it knows', () => killed.health().state === 'down');
    expect(killed.health().reason).toContain('another Millrace server');
    expect(await rows(engine)).toBe('2');
  });
});

describe('a database', () => {
  const problemOf = async (opening: Promise<Engine>): Promise<string> =>
    opening.then(
      () => 'none',
      (error: unknown) => (error instanceof ClaimError ? error.problem : String(error)),
    );

  it.skipIf(absent)('belongs to one owner, which finds it again', async () => {
    const front = await openFront();
    const owner = newOwner();
    await open(front.url, { owner });
    expect(await problemOf(open(front.url))).toBe('of-another');
    expect(await problemOf(open(front.url, { owner: { ...owner, known: true } }))).toBe('none');
  });

  it.skipIf(absent)(
    'that is new, has things in it or is of an old version is not mistaken for the owner’s',
    async () => {
      const front = await openFront();
      expect(await problemOf(open(front.url, { owner: { ...newOwner(), known: true } }))).toBe('mark-missing');
      await front.server.run('CREATE TABLE default.theirs (n UInt64) ENGINE = MergeTree ORDER BY n');
      expect(await problemOf(open(front.url))).toBe('not-empty');
      const { url } = await server(() => undefined, '26.6.9.9');
      expect(await problemOf(open(url))).toBe('too-old');
    },
  );

  it.skipIf(absent)('is of the version with which everything is tested, or newer', async () => {
    const front = await openFront();
    expect(await front.server.run('SELECT version()')).toMatch(new RegExp(`^${minVersion.join('\\.')}\\.`));
  });
});
