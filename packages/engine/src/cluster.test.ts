import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openCluster } from './cluster.js';
import type { Engine } from './engine.js';
import { engineContract } from './testing/contract.js';
import { collect, errorOf, text, until } from './testing/engines.js';
import { type HttpFront, openHttpFront } from './testing/http-front.js';

const login = { user: 'millrace', password: 'secret', database: 'default' };

engineContract('cluster', async () => {
  const front: HttpFront = await openHttpFront();
  const engine = await openCluster({ ...login, urls: [front.url] });
  return {
    engine,
    end: async () => {
      await engine.close();
      await front.end();
    },
  };
});

describe('requests', () => {
  const ends: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** A server that answers pings with Ok and everything else with the listener; its URL and the addresses it saw. */
  async function server(
    listener: RequestListener,
  ): Promise<{ readonly url: string; readonly seen: URL[]; stop(): void }> {
    const seen: URL[] = [];
    const http = createServer((request, response) => {
      const address = new URL(request.url ?? '/', 'http://x');
      if (address.pathname === '/ping') return void response.end('Ok.\n');
      seen.push(address);
      request.resume();
      return void request.on('end', () => listener(request, response));
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const stop = () => {
      http.closeAllConnections();
      http.close();
    };
    ends.push(stop);
    return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, seen, stop };
  }

  async function cluster(...urls: readonly string[]): Promise<Engine> {
    const engine = await openCluster({ ...login, urls, watchMilliseconds: 50 });
    ends.push(() => engine.close());
    return engine;
  }

  it('carry the login, database, settings, limits and priority', async () => {
    const front = await openHttpFront();
    ends.push(() => front.end());
    const engine = await cluster(front.url);
    await engine.query('SELECT 1', {
      format: 'CSV',
      limits: { maxSeconds: 7 },
      priority: 'high',
      settings: { max_threads: 1 },
    });
    // The last request may be a ping.
    const { address, headers, body } = front.requests.findLast((request) => request.body.length > 0)!;
    expect(body.toString()).toBe('SELECT 1');
    expect(headers).toMatchObject({ 'x-clickhouse-user': 'millrace', 'x-clickhouse-key': 'secret' });
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      database: 'default',
      default_format: 'CSV',
      wait_end_of_query: '1',
      readonly: '2',
      join_use_nulls: '1',
      max_execution_time: '7',
      max_threads: '1',
      priority: '1',
    });
    expect(address.searchParams.get('query_id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('carry what is left of the time until their deadline', async () => {
    const front = await openHttpFront();
    ends.push(() => front.end());
    const engine = await cluster(front.url);
    const ask = (left: number) =>
      engine.query('SELECT 1', { format: 'CSV', limits: { maxSeconds: 7 }, deadline: performance.now() + left });
    await ask(2000);
    const { address } = front.requests.findLast((request) => request.body.length > 0)!;
    const seconds = Number(address.searchParams.get('max_execution_time'));
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThanOrEqual(2);
    await expect(ask(0)).rejects.toMatchObject({ code: 'time-limit' });
  });

  it('for a query go on to the next server, for an insert only if the first never received it', async () => {
    const bad = await server((request) => request.socket.destroy());
    const good = await server((_request, response) => response.end('1\n'));
    expect(await text(await cluster(bad.url, good.url), 'SELECT 1')).toBe('1');
    expect([bad.seen.length, good.seen.length]).toEqual([1, 1]);

    const insert = {
      table: { database: 'default', table: 't' },
      columns: [{ name: 'a', type: 'Int64' }],
      chunks: [new Uint8Array(10)],
    };
    const error = await errorOf((await cluster(bad.url, good.url)).insert(insert));
    expect([error.code, error.retryable, good.seen.length]).toEqual(['unavailable', true, 1]);

    const engine = await cluster(bad.url, good.url);
    bad.stop();
    await engine.insert(insert);
    expect(good.seen.at(-1)!.searchParams.get('query')).toBe('INSERT INTO `default`.`t` (`a`) FORMAT Native');
    expect(good.seen.at(-1)!.searchParams.get('async_insert')).toBe('0');
  });

  it('are not repeated when the server refuses them', async () => {
    const first = await server((_request, response) => {
      response.writeHead(400, { 'X-ClickHouse-Exception-Code': '62' }).end('Code: 62. DB::Exception: Syntax error');
    });
    const second = await server((_request, response) => response.end('1\n'));
    expect((await errorOf((await cluster(first.url, second.url)).query('x', { format: 'CSV' }))).code).toBe('rejected');
    expect(second.seen).toEqual([]);
  });

  it('that are aborted are killed on their server', async () => {
    const { url, seen } = await server(() => undefined);
    const engine = await cluster(url);
    const abort = new AbortController();
    const query = errorOf(engine.query('SELECT 1', { format: 'CSV', signal: abort.signal }));
    await until('the server has it', () => seen.length === 1);
    abort.abort();
    expect((await query).code).toBe('cancelled');
    await until('the kill arrives', () => seen.length === 2);
    expect(seen[1]!.searchParams.get('query_id')).toBe(`${seen[0]!.searchParams.get('query_id')}-kill`);
  });

  it('that do not end are cancelled when the engine is closed, including streams that nobody reads', async () => {
    const { url, seen } = await server((request, response) => {
      if (request.url?.includes('default_format=CSV') === true) response.write('1\n');
    });
    const engine = await openCluster({ ...login, urls: [url], closeMilliseconds: 300 });
    const stream = engine.stream('SELECT 1', { format: 'CSV' })[Symbol.asyncIterator]();
    expect(Buffer.from((await stream.next()).value!).toString()).toBe('1\n');
    const query = errorOf(engine.query('SELECT 1', { format: 'TabSeparated' }));
    await until('the server has both', () => seen.length === 2);
    await Promise.all([engine.close(), engine.close()]);
    expect((await query).code).toBe('cancelled');
    expect((await errorOf(stream.next())).code).toBe('cancelled');
    await until('both are killed', () => seen.length === 4);
    expect((await errorOf(engine.query('SELECT 1', { format: 'CSV' }))).code).toBe('unavailable');
    expect((await errorOf(collect(engine.stream('SELECT 1', { format: 'CSV' })))).code).toBe('unavailable');
  });

  it('that are running are waited for when the engine is closed, including streams', async () => {
    const { url, seen } = await server((_request, response) => void setTimeout(() => response.end('1\n'), 200));
    const engine = await openCluster({ ...login, urls: [url], closeMilliseconds: 60_000 });
    const over: string[] = [];
    void text(engine, 'SELECT 1').then((answer) => over.push(answer));
    void collect(engine.stream('SELECT 1', { format: 'CSV' })).then((answer) => over.push(answer.toString().trim()));
    await until('the server has both', () => seen.length === 2);
    await engine.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(over).toEqual(['1', '1']);
  });

  it('whose answer breaks off fail, even when streamed', async () => {
    const { url } = await server((_request, response) => {
      response.write('1\n2\n');
      setTimeout(() => response.destroy(), 20);
    });
    const engine = await cluster(url);
    expect((await errorOf(engine.query('SELECT 1', { format: 'CSV' }))).code).toBe('unavailable');
    expect((await errorOf(collect(engine.stream('SELECT 1', { format: 'CSV' })))).code).toBe('unavailable');
  });

  it('that no server answers: the engine does not open, or is down until one answers again', async () => {
    const { url, stop } = await server(() => undefined);
    const engine = await cluster(url);
    let readies = 0;
    engine.onReady(() => {
      throw new Error('of a listener');
    });
    engine.onReady(() => (readies += 1));
    stop();
    await until('it is down', () => engine.health().state === 'down');
    expect(engine.health().reason).toContain('ECONNREFUSED');
    expect((await errorOf(openCluster({ ...login, urls: [url] }))).code).toBe('unavailable');
    const port = Number(new URL(url).port);
    const again = createServer((_request, response) => response.end('Ok.\n'));
    await new Promise<void>((resolve) => again.listen(port, '127.0.0.1', resolve));
    ends.push(() => void again.close());
    await until('it is ready again', () => engine.health().state === 'ready');
    expect(readies).toBe(2);
  });
});
