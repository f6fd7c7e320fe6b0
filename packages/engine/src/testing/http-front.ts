import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { quoteString } from '@millrace/sql';
import { readColumns } from '../columns.js';
import type { Engine, OutputFormat, Settings } from '../engine.js';
import { EngineError } from '../errors.js';
import { openTestEngine, text as textOf, until } from './engines.js';

/**
 * A ClickHouse server's HTTP interface, as far as the remote engine uses it, in front of an embedded engine. It shows that what is sent means to
 * ClickHouse what it should, and can fail in the ways a network does. It does not show that a real server answers in exactly this way.
 */
export interface HttpFront {
  readonly url: string;
  /** The engine behind, to look at without the front. */
  readonly engine: Engine;
  /** The requests so far. */
  readonly requests: readonly FrontRequest[];
  /** Called with each statement before it is executed, and after it. What it waits for delays the statement; `cut` ends the connection. */
  watch: (moment: 'before' | 'after', sql: string, cut: () => void) => Promise<void> | void;
  /** Ends all connections and accepts no more; statements that run go on. */
  stop(): Promise<void>;
  /** Accepts connections again, under the same address. */
  start(): Promise<void>;
  end(): Promise<void>;
}

interface FrontRequest {
  readonly address: URL;
  readonly headers: IncomingMessage['headers'];
  readonly sql: string;
}

interface Statement extends FrontRequest {
  readonly data: Buffer | undefined;
  readonly settings: Settings;
  readonly id: string;
  readonly abort: AbortController;
}

const ownParameters = ['default_format', 'query_id', 'wait_end_of_query'];
/** What a server buffers of an answer. */
const heldBytes = 1 << 20;
const endOfInsert = ' FORMAT Native\n';

export async function openHttpFront(): Promise<HttpFront> {
  const { engine, directory, end } = await openTestEngine();
  const requests: FrontRequest[] = [];
  const running = new Map<string, AbortController>();
  let blocks = 0;
  let statements = 0;

  /** Ids of running statements that begin like one of those in a condition of `Claim`. */
  const named = (sql: string): readonly string[] => {
    const prefixes = [...(/\[(.*)\]/.exec(sql)?.[1] ?? '').matchAll(/'([^']*)'/g)].map(([, prefix]) => prefix!);
    return [...running.keys()].filter((id) => prefixes.some((prefix) => id.startsWith(prefix)));
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/ping') return void response.end('Ok.\n');
    const statement = await read(request);
    const { sql, id, abort, settings } = statement;
    requests.push(statement);
    const cut = (): void => void request.socket.destroy();
    await front.watch('before', sql, cut);
    const one = /^KILL QUERY WHERE query_id = '(.*)' ASYNC$/.exec(sql)?.[1];
    const killed = one !== undefined ? [one] : sql.startsWith('KILL QUERY') ? named(sql) : undefined;
    if (killed !== undefined) {
      for (const each of killed) running.get(each)?.abort();
      return void response.end();
    }
    if (sql.includes('system.processes WHERE arrayExists')) return void response.end(`${named(sql).length}\n`);
    running.set(id, abort);
    // A server goes on with everything else although nobody waits for it any more.
    if (settings['readonly'] !== undefined) response.once('close', () => abort.abort());
    try {
      if (settings['readonly'] === undefined) await change(statement);
      else await select(engine, statement, response);
      running.delete(id);
      await front.watch('after', sql, cut);
      response.end();
    } catch (error) {
      const detail = error instanceof EngineError ? error.detail : String(error);
      if (response.headersSent) {
        response.write(`\r\n__exception__\r\ntag\r\n${detail}\r\n${detail.length} tag\r\n__exception__\r\n`);
        return void setImmediate(() => response.destroy());
      }
      const number = error instanceof EngineError && error.code === 'cancelled' ? 394 : /Code: (\d+)/.exec(detail)?.[1];
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': number ?? '1002' }).end(detail || `Code: ${number}. `);
    } finally {
      running.delete(id);
    }
  }

  async function change({ sql, data, settings, abort: { signal } }: Statement): Promise<void> {
    let text = sql;
    if (data !== undefined) {
      const file = join(directory, `block-${(blocks += 1)}`);
      await writeFile(file, data);
      text = sql.replace(' SELECT * FROM input(', ` SELECT * FROM file(${quoteString(file)}, 'Native', `);
    }
    // A server runs statements in parallel; the engine here runs four more apart.
    const apart = ([undefined, 'upkeep', 'narrowing', 'deletion', 'removal'] as const)[statements];
    statements += 1;
    try {
      await engine.execute(text, { settings, signal, ...(apart !== undefined && { apart }) });
    } catch (error) {
      // A server counts a statement as running until it has really ended.
      const same = `SELECT count() FROM system.processes WHERE query NOT LIKE '%system.processes%' AND position(query, ${quoteString(text)}) > 0`;
      await until('the statement has ended', async () => (await textOf(engine, same)) === '0');
      throw error;
    } finally {
      statements -= 1;
    }
  }

  const server = createServer(
    (request, response) => void answer(request, response).catch(() => request.socket.destroy()),
  );
  const listen = (port: number): Promise<void> =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const front: HttpFront = {
    url: `http://127.0.0.1:${port}`,
    engine,
    requests,
    watch: () => undefined,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    start: () => listen(port),
    end: async () => {
      server.close();
      server.closeAllConnections();
      await end();
    },
  };
  return front;
}

async function read(request: IncomingMessage): Promise<Statement> {
  const address = new URL(request.url ?? '/', 'http://front');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const at = body.subarray(0, 12).toString('latin1').startsWith('INSERT INTO') ? body.indexOf(endOfInsert) : -1;
  const settings: Record<string, string> = {};
  for (const [name, value] of address.searchParams) if (!ownParameters.includes(name)) settings[name] = value;
  return {
    address,
    headers: request.headers,
    sql: (at < 0 ? body : body.subarray(0, at)).toString('utf8'),
    data: at < 0 ? undefined : body.subarray(at + endOfInsert.length),
    settings,
    id: address.searchParams.get('query_id') ?? '',
    abort: new AbortController(),
  };
}

async function select(
  engine: Engine,
  { sql, address, settings, abort: { signal } }: Statement,
  response: ServerResponse,
): Promise<void> {
  const format = address.searchParams.get('default_format') as OutputFormat;
  if (address.searchParams.get('wait_end_of_query') !== '1') {
    // A server holds back the beginning, so that an error soon after it still gets a status of its own.
    const held: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of engine.stream(sql, { format, settings, signal })) {
      held.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= heldBytes && !response.write(Buffer.concat(held.splice(0))))
        await once(response, 'drain', { signal });
    }
    response.write(Buffer.concat(held));
    return;
  }
  const { body, statistics } = await engine.query(sql, { format, settings, signal });
  const { rowsRead, bytesRead } = String(format) === 'JSONColumnsWithMetadata' ? readColumns(body) : statistics;
  const summary = {
    read_rows: String(rowsRead),
    read_bytes: String(bytesRead),
    elapsed_ns: String(statistics.elapsedNanoseconds),
  };
  response.setHeader('X-ClickHouse-Summary', JSON.stringify(summary));
  response.write(body);
}
