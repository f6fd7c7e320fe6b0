import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Capabilities } from '@millrace/api/schemas/capabilities';
import type { Engine } from '@millrace/engine';
import type { Clock } from '@millrace/metadata/clock';
import { lockDataDirectory } from '../startup/directory.js';
import { openEngine } from '../startup/open-engine.js';
import { startServer } from '../startup/server.js';
import { defaultSettings, type Settings } from '@millrace/http/settings/settings';
import { endEngineOf, engineSettings } from './remote-engine.js';

/** A response, with its body parsed if it is JSON. */
export interface HttpReply<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

interface SendOptions {
  readonly token?: string;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A complete server on a real engine, in a separate directory, accessed over HTTP. Use one per test
 * file: it takes a second to start.
 */
export interface EngineTestServer {
  readonly url: string;
  /** Port of the OTLP/gRPC listener; off by default. */
  readonly otlpGrpcPort: number | undefined;
  /** Personal token of the owner. */
  readonly owner: string;
  send<Body = unknown>(method: string, path: string, body?: unknown, options?: SendOptions): Promise<HttpReply<Body>>;
  /** Creates a dataset and optionally sends events. */
  dataset(name: string, events?: readonly object[]): Promise<void>;
  ingest(name: string, events: readonly object[]): Promise<void>;
  /** Runs a query; throws if it is rejected. */
  apl<Body = Tabular>(apl: string, more?: object, format?: string): Promise<Body>;
  /** Runs a structured query; throws if it is rejected. */
  query<Body = Legacy>(dataset: string, body: object): Promise<Body>;
  /** Secret of a new API token. */
  token(capabilities: Partial<Capabilities>): Promise<string>;
  close(): Promise<void>;
}

interface Status {
  readonly rowsExamined: number;
  readonly rowsMatched: number;
  readonly minCursor?: string;
  readonly maxCursor?: string;
  readonly isPartial: boolean;
  readonly cacheStatus: number;
  readonly messages: readonly { readonly code: string; readonly msg: string }[];
}

interface Table {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  readonly columns: readonly unknown[][];
}

export interface Tabular {
  readonly status: Status;
  readonly tables: readonly Table[];
}

interface Group {
  readonly id: number;
  readonly group: Readonly<Record<string, unknown>>;
  readonly aggregations: readonly { readonly op: string; readonly value: unknown }[];
}

export interface Legacy {
  readonly status: Status;
  readonly matches: readonly {
    readonly _time: string;
    readonly _sysTime: string;
    readonly _rowId: string;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
  readonly buckets: {
    readonly series: readonly {
      readonly startTime: string;
      readonly endTime: string;
      readonly groups: readonly Group[];
    }[];
    readonly totals: readonly Group[];
  };
}

/**
 * @param settings changes to the default settings
 * @param watched wraps the engine, to observe its calls
 */
export async function openEngineTestServer(
  settings: Partial<Settings> = {},
  watched: (engine: Engine) => Engine = (engine) => engine,
  clock: Clock = Date.now,
): Promise<EngineTestServer> {
  const made = settings.dataDir === undefined ? mkdtempSync(join(tmpdir(), 'millrace-world-')) : undefined;
  const dataDir = settings.dataDir ?? made!;
  const owner = settings.adminToken ?? `xapt-${randomUUID()}`;
  const server = await startServer({
    clock,
    settings: defaultSettings({
      port: 0,
      otlpGrpc: 'off',
      adminToken: owner,
      ...(await engineSettings(dataDir)),
      ...settings,
      dataDir,
    }),
    logger: pino({ level: 'silent' }),
    takeDirectory: (taken, logger) =>
      lockDataDirectory(taken, logger, async (...known) => watched(await openEngine(...known))),
    showToken: () => true,
  });
  const send = async <Body>(
    method: string,
    path: string,
    body?: unknown,
    { token = owner, signal, headers = {} }: SendOptions = {},
  ): Promise<HttpReply<Body>> => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: sendable(body) }),
      ...(signal !== undefined && { signal }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: (isJson ? JSON.parse(text) : undefined) as Body,
    };
  };
  const sendAccepted = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await send<Body>(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path} → ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const datasets = new Set<string>();
  const world: EngineTestServer = {
    url: server.url,
    otlpGrpcPort: server.otlpGrpcPort,
    owner,
    send,
    dataset: async (name, events = []) => {
      // A test that is retried finds what its first run found.
      if (datasets.has(name)) await send('DELETE', `/v2/datasets/${name}`);
      datasets.add(name);
      await sendAccepted('POST', '/v2/datasets', { name });
      if (events.length > 0) await world.ingest(name, events);
    },
    ingest: async (name, events) => void (await sendAccepted('POST', `/v1/datasets/${name}/ingest`, events)),
    apl: (apl, more = {}, format = 'tabular') =>
      sendAccepted('POST', `/v1/datasets/_apl?format=${format}`, { apl, ...more }),
    query: (dataset, body) => sendAccepted('POST', `/v1/datasets/${dataset}/query`, body),
    token: async (capabilities) => {
      const { token } = await sendAccepted<{ readonly token: string }>('POST', '/v2/tokens', {
        name: 'test',
        ...capabilities,
      });
      return token;
    },
    close: async () => {
      await server.stop();
      if (made === undefined) return;
      await endEngineOf(made);
      rmSync(made, { recursive: true, force: true });
    },
  };
  return world;
}

/** Strings and bytes are sent verbatim, everything else as JSON. */
function sendable(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return Uint8Array.from(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
}
