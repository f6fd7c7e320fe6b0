import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { quoteString } from '@millrace/sql';
import type { MovedRows, QueryStatistics } from './engine.js';
import { EngineError, engineErrorOf } from './errors.js';
import { formOf } from './shards/moved-rows.js';

/** Address of a ClickHouse server, and the user. */
export interface RemoteAddress {
  /**
   * `http://host:8123` or `https://host:8443`, with a path if a proxy needs one. It must lead to
   * one server, never to several in turn.
   */
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

export interface RemoteRequest {
  readonly sql: string;
  /**
   * Native bytes of an insert. They follow the SQL in the body, because the SQL may be too long for
   * the address.
   */
  readonly data?: readonly Uint8Array[];
  /** Rows that a query reads like tables. */
  readonly moved?: readonly MovedRows[] | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly format: string;
  readonly queryId: string;
  readonly signal?: AbortSignal | undefined;
  /** Whether it may be sent again after an unclear outcome. */
  readonly repeatable: boolean;
  /** Whether the server goes on with it when it is canceled. Default: it is killed. */
  readonly isAbandoned?: boolean;
}

interface RemoteAnswer {
  readonly body: Uint8Array;
  readonly statistics: QueryStatistics;
}

/**
 * The connection broke after a statement that must not be repeated had been sent: the statement may
 * have been executed, or may still run.
 */
export class UnknownOutcome extends EngineError {
  constructor(detail: string) {
    super('unavailable', detail, 'unknown');
  }
}

/** How long a server may take to respond to a ping. */
export const pingMilliseconds = 5000;
/**
 * How long to wait for the response to a small statement about the server itself: one that hangs
 * keeps its connections open.
 */
const smallMilliseconds = 120_000;
/** After this much silence the system probes the connection. */
const keepAliveMilliseconds = 10_000;
/**
 * Bytes kept of the end of a stream, for the error that aborted it. A server writes at most 16 KB
 * of it, and some marks around it.
 */
const tailBytes = 20 * 1024;
/** The error text of a server, after its marker. */
const errorInStream = /__exception__\r\n[^]*?(Code: \d+\. [^]*)/;

/** Set with every statement, so that they hold for any profile of the user on the server. */
const ownSettings: Readonly<Record<string, string>> = {
  // With progress in the headers, the status would be sent before it is known.
  send_progress_in_http_headers: '0',
  // An error is sent as its text, not as a document in the format of the result.
  http_write_exception_in_output_format: '0',
};

/**
 * A server that buffers a result until its end is known writes it into a file, by default all of
 * it, and with a full disk it sends an empty one without an error. This many bytes stay in memory.
 */
const connectionSettings: Readonly<Record<string, string>> = { http_response_buffer_size: String(64 * 1024 * 1024) };

/** The statement may already be running under the same name when the connection breaks. */
const replaceRunning = '&replace_running_query=1';

/** Connection to a server. */
export type Connection = Pick<RemoteConnection, 'close' | 'kill' | 'ping' | 'request' | 'stream'>;

/** Sends requests to a ClickHouse server. */
export class RemoteConnection {
  readonly #address: RemoteAddress;
  readonly #base: URL;
  readonly #agent: HttpAgent;
  #isClosed = false;

  constructor(address: RemoteAddress) {
    this.#address = address;
    this.#base = new URL(address.url);
    if (!this.#base.pathname.endsWith('/')) this.#base.pathname += '/';
    this.#agent = this.#isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  }

  /** @throws EngineError `unavailable` if the server does not respond */
  async ping(milliseconds = pingMilliseconds): Promise<void> {
    const signal = AbortSignal.timeout(milliseconds);
    const response = await this.#exchange('ping', { content: [] }, signal, true).catch((error: unknown) => {
      throw new EngineError('unavailable', signal.aborted ? 'no answer in time' : wordsOf(error));
    });
    response.resume().on('error', () => undefined);
    if (response.statusCode !== 200) throw new EngineError('unavailable', `the status ${response.statusCode}`);
  }

  /** @throws EngineError */
  async request(request: RemoteRequest): Promise<RemoteAnswer> {
    if (request.signal === undefined && request.repeatable) return this.#requestSmall(request);
    const response = await this.#send({ ...request, settings: { ...connectionSettings, ...request.settings } });
    try {
      return { body: await buffer(response), statistics: statisticsOf(response) };
    } catch (error) {
      throw this.#failure(error, request);
    }
  }

  /** @throws EngineError */
  async #requestSmall(request: RemoteRequest): Promise<RemoteAnswer> {
    const signal = AbortSignal.timeout(smallMilliseconds);
    try {
      return await this.request({ ...request, signal, isAbandoned: true });
    } catch (error) {
      throw signal.aborted ? new EngineError('unavailable', 'no answer in time', 'elsewhere') : error;
    }
  }

  /** @throws EngineError while iterating, also for a failure after the first byte */
  async *stream(request: RemoteRequest): AsyncGenerator<Uint8Array> {
    const response = await this.#send(request);
    let tail = Buffer.alloc(0);
    let whole = false;
    try {
      // A server that fails half-way ends the response differently than announced. If no end was
      // announced, every response would look complete.
      if (response.headers['transfer-encoding'] !== 'chunked' && response.headers['content-length'] === undefined)
        throw new EngineError('unavailable', 'the answer does not say where it ends');
      for await (const chunk of response as AsyncIterable<Buffer>) {
        tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes);
        yield chunk;
      }
      whole = true;
    } catch (error) {
      const text = errorInStream.exec(tail.toString('latin1'))?.[1];
      if (text !== undefined && request.signal?.aborted !== true) throw engineErrorOf(text);
      throw this.#failure(error, request);
    } finally {
      response.destroy();
      if (!whole) this.kill(request.queryId);
    }
  }

  /** Stops a query, if it is still running. */
  kill(queryId: string): void {
    const sql = `KILL QUERY WHERE query_id = ${quoteString(queryId)} ASYNC`;
    this.request({ sql, settings: {}, format: 'Null', queryId: `${queryId}-kill`, repeatable: true }).catch(
      () => undefined,
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#agent.destroy();
  }

  get #isSecure(): boolean {
    return this.#base.protocol === 'https:';
  }

  /** Returns a response that begins without an error; one may still occur in the middle of it. */
  async #send(request: RemoteRequest): Promise<IncomingMessage> {
    const { signal, repeatable } = request;
    if (signal?.aborted === true) throw new EngineError('cancelled');
    const path = `?${parametersOf(request)}`;
    const response = await this.#exchange(path, bodyOf(request), signal, repeatable).catch((error: unknown) => {
      throw this.#failure(error, request);
    });
    const number = response.headers['x-clickhouse-exception-code'];
    if (response.statusCode === 200 && number === undefined) return response;
    const text = await buffer(response).then(String, () => '');
    if (text.startsWith('Code: ')) throw engineErrorOf(text);
    if (number !== undefined) throw engineErrorOf(`Code: ${String(number)}. ${text}`);
    // This response is not from ClickHouse but from a proxy, which may or may not have passed the
    // statement on.
    throw this.#failure(new Error(`something in between answers with the status ${response.statusCode}`), request);
  }

  /**
   * A repeatable request uses a keep-alive connection, and is retried once if the server was just
   * closing that connection. Any other request gets a new connection.
   */
  async #exchange(
    path: string,
    body: Body,
    signal: AbortSignal | undefined,
    repeatable: boolean,
  ): Promise<IncomingMessage> {
    const agent = repeatable ? this.#agent : false;
    return this.#sendOnce(path, body, signal, agent).catch((error: unknown) => {
      const isReused = error instanceof ConnectionError && error.stage === 'reused';
      if (!repeatable || !isReused || signal?.aborted === true || this.#isClosed) throw error;
      return this.#sendOnce(path.startsWith('?') ? path + replaceRunning : path, body, signal, agent);
    });
  }

  #sendOnce(
    path: string,
    { content, contentType }: Body,
    signal: AbortSignal | undefined,
    agent: HttpAgent | false,
  ): Promise<IncomingMessage> {
    const { user, password } = this.#address;
    return new Promise((resolve, reject) => {
      const request = (this.#isSecure ? httpsRequest : httpRequest)(new URL(path, this.#base), {
        method: content.length === 0 ? 'GET' : 'POST',
        agent,
        auth: `${user}:${password}`,
        ...(content.length > 0 && {
          headers: {
            'Content-Length': content.reduce((sum, { byteLength }) => sum + byteLength, 0),
            ...(contentType !== undefined && { 'Content-Type': contentType }),
          },
        }),
        ...(signal !== undefined && { signal }),
      });
      let connected = false;
      request.once('socket', (socket) => {
        connected = request.reusedSocket;
        if (connected) return;
        socket.once(this.#isSecure ? 'secureConnect' : 'connect', () => (connected = true));
        socket.setKeepAlive(true, keepAliveMilliseconds);
      });
      request.once('response', resolve);
      request.on('error', (error) =>
        reject(new ConnectionError(!connected ? 'unsent' : request.reusedSocket ? 'reused' : 'sent', error)),
      );
      request.cork();
      for (const piece of content) request.write(piece);
      request.end();
      request.uncork();
    });
  }

  #failure(error: unknown, { signal, queryId, repeatable, isAbandoned }: RemoteRequest): EngineError {
    if (error instanceof EngineError) return error;
    if (signal?.aborted === true) {
      if (isAbandoned !== true) this.kill(queryId);
      return new EngineError('cancelled');
    }
    const unsent = error instanceof ConnectionError && error.stage === 'unsent';
    return repeatable || unsent
      ? new EngineError('unavailable', wordsOf(error), 'elsewhere')
      : new UnknownOutcome(wordsOf(error));
  }
}

/**
 * A request without a response, and its progress: nothing was sent, or it was sent over a reused
 * connection, or over a new one.
 */
class ConnectionError extends Error {
  readonly stage: 'unsent' | 'reused' | 'sent';

  constructor(stage: ConnectionError['stage'], cause: unknown) {
    super(wordsOf(cause));
    this.stage = stage;
  }
}

interface Body {
  readonly content: readonly Uint8Array[];
  readonly contentType?: string;
}

/** @throws EngineError `too-complex` */
function bodyOf({ sql, data, moved = [] }: RemoteRequest): Body {
  if (moved.length > 0) return formOf(sql, moved, randomUUID());
  // The line feed ends the statement: all following bytes are data.
  return { content: data === undefined ? [Buffer.from(sql)] : [Buffer.from(`${sql}\n`), ...data] };
}

function parametersOf({ settings, format, queryId, data, sql }: RemoteRequest): URLSearchParams {
  return new URLSearchParams({
    // Merges, deletions and inserts have no time limit.
    max_execution_time: '0',
    ...settings,
    ...ownSettings,
    // The server copies this much of an insert to find the end of the statement.
    ...(data !== undefined && { max_query_size: String(Buffer.byteLength(sql) + insertMargin) }),
    default_format: format,
    query_id: queryId,
  });
}

const insertMargin = 65_536;

function statisticsOf({ headers }: IncomingMessage): QueryStatistics {
  const summary = JSON.parse(String(headers['x-clickhouse-summary'] ?? '{}')) as Readonly<Record<string, string>>;
  return {
    elapsedNanoseconds: Number(summary['elapsed_ns'] ?? 0),
    rowsRead: Number(summary['read_rows'] ?? 0),
    bytesRead: Number(summary['read_bytes'] ?? 0),
  };
}

/**
 * The system's error code. The message would also name the address, and the health response is
 * public.
 */
function wordsOf(error: unknown): string {
  const { code, message, name } = error as NodeJS.ErrnoException;
  // The error of several addresses of a host has no message.
  return code ?? (message === '' ? name : message);
}
