import { Connection } from './connection.js';
import type { Body } from './data/bodies.js';
import type { Shape } from './data/shape.js';
import type { Server } from './server.js';

/** Many concurrent clients, each sending its next request as soon as the last one is answered. */

/** A number of clients, in words for names of figures. */
export const clientsNamed = (clients: number): string => (clients === 1 ? '1 client' : `${clients} clients`);

export interface Load {
  readonly seconds: number;
  /** Latency of each response in milliseconds, in order of arrival. */
  readonly latencies: readonly number[];
}

/** Another way to send than the native one. */
export interface Protocol {
  readonly path: (dataset: string) => string;
  /** Whether a response with status 200 confirms that the complete request was stored. */
  readonly isStored: (answer: string) => boolean;
}

export interface LoadOptions {
  readonly dataset: string;
  readonly bodies: readonly Body[];
  readonly clients: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: native ingest. */
  readonly protocol?: Protocol;
  /** Such as `?timestamp-field=…`. */
  readonly query?: string;
}

/** Load parameters for a shape, without the dataset. */
export const sendingOf = (shape: Shape, bodies: readonly Body[], clients: number): Omit<LoadOptions, 'dataset'> => ({
  bodies,
  clients,
  ...(shape.timestampField !== undefined && { query: `?timestamp-field=${shape.timestampField}` }),
});

const retryMilliseconds = 20;

/**
 * Backpressure ends sooner. After that, the disk is full or the engine is down, and retries would
 * not end.
 */
const patienceMilliseconds = 60_000;

/**
 * Sends every body once. A body rejected because of backpressure is retried, as clients do, and the
 * wait counts in the latency of that request.
 * @throws Error unless every response confirms that all events are stored
 */
export async function send(
  server: Server,
  { dataset, bodies, clients, headers = {}, query = '', protocol }: LoadOptions,
): Promise<Load> {
  let next = 0;
  return run(server, clients, async (connection) => {
    const body = bodies[next++];
    if (body === undefined) return false;
    const path = protocol?.path(dataset) ?? `/v1/datasets/${dataset}/ingest${query}`;
    const request = connection.prepare('POST', path, {
      headers: { ...server.headers, 'content-type': 'application/x-ndjson', ...headers },
      body: body.bytes,
    });
    const started = performance.now();
    for (;;) {
      const { status, body: answer } = await connection.request(request);
      if ((status === 429 || status === 503) && performance.now() - started < patienceMilliseconds) {
        await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
        continue;
      }
      if ((status !== 200 && status !== 204) || !isStored(answer.toString(), body, protocol))
        throw new Error(`${status}: ${answer.toString().slice(0, 500)}`);
      return true;
    }
  });
}

const isStored = (answer: string, { events }: Body, protocol: Protocol | undefined): boolean =>
  protocol === undefined
    ? (JSON.parse(answer) as { readonly ingested: number }).ingested === events
    : protocol.isStored(answer);

/** Sends the same request from all clients for some time. */
export async function repeat(
  server: Server,
  clients: number,
  seconds: number,
  pieces: (connection: Connection) => readonly Uint8Array[],
): Promise<Load> {
  const end = performance.now() + seconds * 1000;
  const prepared = new Map<Connection, readonly Uint8Array[]>();
  return run(server, clients, async (connection) => {
    if (performance.now() >= end) return false;
    const request = prepared.get(connection) ?? pieces(connection);
    prepared.set(connection, request);
    const { status, body } = await connection.request(request);
    if (status !== 200) throw new Error(`${status}: ${body.toString().slice(0, 500)}`);
    return true;
  });
}

/** @param step one request; false when there is no work left */
export async function run(
  server: Pick<Server, 'host' | 'port'>,
  clients: number,
  step: (connection: Connection) => Promise<boolean>,
): Promise<Load> {
  const latencies: number[] = [];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const connection = new Connection(server.host, server.port);
      try {
        for (;;) {
          const before = performance.now();
          if (!(await step(connection))) return;
          latencies.push(performance.now() - before);
        }
      } finally {
        connection.close();
      }
    }),
  );
  return { seconds: (performance.now() - started) / 1000, latencies };
}
