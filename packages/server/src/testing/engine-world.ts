import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Capabilities } from '../schemas/capabilities.js';
import type { Engine } from '@millrace/engine';
import type { Clock } from '../metadata/clock.js';
import { takeDirectory } from '../start/directory.js';
import { openEngine } from '../start/open-engine.js';
import { startServer } from '../start/server.js';
import { defaultSettings, type Settings } from '../settings/settings.js';
import { endEngineOf, engineSettings } from './engine-elsewhere.js';

/** An answer as it came, and its body if that is JSON. */
export interface HttpReply<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

interface Sending {
  readonly token?: string;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A whole server on a real engine, in a directory of its own, spoken to over HTTP. One a test file:
 * it takes a second to start.
 */
export interface EngineWorld {
  readonly url: string;
  /** Personal token of the owner. */
  readonly owner: string;
  send<Body = unknown>(method: string, path: string, body?: unknown, options?: Sending): Promise<HttpReply<Body>>;
  /** Creates a dataset and sends events, if there are any. */
  dataset(name: string, events?: readonly object[]): Promise<void>;
  ingest(name: string, events: readonly object[]): Promise<void>;
  /** Runs a query; a refusal throws. */
  apl<Body = Tabular>(apl: string, more?: object, format?: string): Promise<Body>;
  /** Runs a structured query; a refusal throws. */
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
 * @param settings changes to those of a server that was told nothing
 * @param watched what the server has of its engine: to see what is asked of it
 */
export async function openEngineWorld(
  settings: Partial<Settings> = {},
  watched: (engine: Engine) => Engine = (engine) => engine,
  clock: Clock = Date.now,
): Promise<EngineWorld> {
  const made = settings.dataDir === undefined ? mkdtempSync(join(tmpdir(), 'millrace-world-')) : undefined;
  const dataDir = settings.dataDir ?? made!;
  const owner = settings.adminToken ?? `xapt-${randomUUID()}`;
  const server = await startServer({
    clock,
    settings: defaultSettings({
      port: 0,
      adminToken: owner,
      ...(await engineSettings(dataDir)),
      ...settings,
      dataDir,
    }),
    logger: pino({ level: 'silent' }),
    takeDirectory: (taken, logger) =>
      takeDirectory(taken, logger, async (...known) => watched(await openEngine(...known))),
    showToken: () => true,
  });
  const send = async <Body>(
    method: string,
    path: string,
    body?: unknown,
    { token = owner, signal, headers = {} }: Sending = {},
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
  const accepted = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await send<Body>(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path} → ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const world: EngineWorld = {
    url: server.url,
    owner,
    send,
    dataset: async (name, events = []) => {
      await accepted('POST', '/v2/datasets', { name });
      if (events.length > 0) await world.ingest(name, events);
    },
    ingest: async (name, events) => void (await accepted('POST', `/v1/datasets/${name}/ingest`, events)),
    apl: (apl, more = {}, format = 'tabular') =>
      accepted('POST', `/v1/datasets/_apl?format=${format}`, { apl, ...more }),
    query: (dataset, body) => accepted('POST', `/v1/datasets/${dataset}/query`, body),
    token: async (capabilities) => {
      const { token } = await accepted<{ readonly token: string }>('POST', '/v2/tokens', {
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

/** Texts and bytes are sent as they are, everything else as JSON. */
function sendable(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return Uint8Array.from(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
}
