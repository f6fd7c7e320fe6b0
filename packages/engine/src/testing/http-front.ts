import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteString } from '@millrace/sql';
import { readColumns } from '../columns.js';
import type { Engine, OutputFormat, Settings } from '../engine.js';
import type { EngineError } from '../errors.js';
import { openTestEngine } from './engines.js';

/**
 * A ClickHouse server's HTTP interface, as far as the cluster client uses it, in front of an embedded engine. It shows that what the client
 * sends means to ClickHouse what it should; it does not show that a real server answers in exactly this way.
 */
export interface HttpFront {
  readonly url: string;
  /** The requests so far: method, address, headers and body. */
  readonly requests: readonly {
    readonly address: URL;
    readonly headers: IncomingMessage['headers'];
    readonly body: Buffer;
  }[];
  end(): Promise<void>;
}

const ownParameters = ['database', 'default_format', 'query_id', 'query', 'wait_end_of_query'];

export async function openHttpFront(): Promise<HttpFront> {
  const { engine, directory, end } = await openTestEngine();
  const requests: { address: URL; headers: IncomingMessage['headers']; body: Buffer }[] = [];
  const running = new Map<string, AbortController>();
  let blocks = 0;
  let statements = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url ?? '/', 'http://front');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    requests.push({ address, headers: request.headers, body });
    if (address.pathname === '/ping') return void response.end('Ok.\n');
    const inAddress = address.searchParams.get('query');
    const sql = inAddress ?? body.toString();
    const killed = /^KILL QUERY WHERE query_id = '(.*)' ASYNC$/.exec(sql)?.[1];
    if (killed !== undefined) {
      running.get(killed)?.abort();
      return void response.end();
    }
    const settings: Record<string, string> = {};
    for (const [name, value] of address.searchParams) if (!ownParameters.includes(name)) settings[name] = value;
    const id = address.searchParams.get('query_id') ?? '';
    const abort = new AbortController();
    running.set(id, abort);
    response.once('close', () => abort.abort());
    try {
      if (inAddress !== null) {
        const file = join(directory, `block-${(blocks += 1)}`);
        await writeFile(file, body);
        await engine.execute(
          inAddress.replace(/ FORMAT Native$/, ` SELECT * FROM file(${quoteString(file)}, 'Native')`),
          { settings },
        );
        response.end();
      } else if (settings['readonly'] === undefined) {
        // A server runs statements in parallel; the engine here runs three more apart.
        const apart = ([undefined, 'upkeep', 'deletion', 'removal'] as const)[statements];
        statements += 1;
        await engine
          .execute(sql, { settings, signal: abort.signal, ...(apart !== undefined && { apart }) })
          .finally(() => (statements -= 1));
        response.end();
      } else await select(engine, sql, address, settings, abort.signal, response);
    } catch (error) {
      const { detail } = error as EngineError;
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(500, { 'X-ClickHouse-Exception-Code': /Code: (\d+)/.exec(detail)?.[1] ?? '1002' })
          .end(detail);
    } finally {
      running.delete(id);
    }
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    end: async () => {
      server.closeAllConnections();
      server.close();
      await end();
    },
  };
}

async function select(
  engine: Engine,
  sql: string,
  address: URL,
  settings: Settings,
  signal: AbortSignal,
  response: ServerResponse,
): Promise<void> {
  const format = address.searchParams.get('default_format') as OutputFormat;
  if (address.searchParams.get('wait_end_of_query') !== '1') {
    for await (const chunk of engine.stream(sql, { format, settings, signal })) {
      if (!response.write(chunk)) await once(response, 'drain', { signal });
    }
    return void response.end();
  }
  const { body, statistics } = await engine.query(sql, { format, settings, signal });
  if (address.searchParams.get('default_format') === 'JSONColumnsWithMetadata') {
    const { rowsRead, bytesRead } = readColumns(body);
    const summary = {
      read_rows: String(rowsRead),
      read_bytes: String(bytesRead),
      elapsed_ns: String(statistics.elapsedNanoseconds),
    };
    response.setHeader('X-ClickHouse-Summary', JSON.stringify(summary));
  }
  response.end(body);
}
