import { quoteString } from '@millrace/sql';
import type { QueryLimits, QueryStatistics } from './engine.js';
import { EngineError, engineErrorOf } from './errors.js';
import type { Log } from './log.js';

export interface ClusterOptions {
  /** `http://host:8123`, all equal. */
  readonly urls: readonly string[];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly limits?: QueryLimits;
  /** How often to look whether a server answers. Default 2,000. */
  readonly watchMilliseconds?: number;
  /** How long `close` lets running work continue before cancelling it. Default 10,000. */
  readonly closeMilliseconds?: number;
  readonly log?: Log;
}

export interface ClusterRequest {
  readonly sql: string;
  /** Native bytes; the SQL then goes into the address. */
  readonly body?: readonly Uint8Array[];
  readonly settings: Readonly<Record<string, string>>;
  readonly format: string;
  readonly queryId: string;
  readonly signal: AbortSignal | undefined;
  /** Whether another server may be asked when it is unclear how far the first one got. */
  readonly repeatable: boolean;
}

const pingMilliseconds = 2000;
/** The connection was never made: no server has seen the request. */
const neverSent = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/;

/** Sends requests to one of several servers: the one that answered last, or the next one when it does not answer. */
export class ClusterConnection {
  readonly #options: ClusterOptions;
  #current = 0;

  constructor(options: ClusterOptions) {
    if (options.urls.length === 0) throw new RangeError('a cluster needs at least one URL');
    this.#options = options;
  }

  /** @throws EngineError `unavailable` if no server answers */
  async ping(): Promise<void> {
    await this.#first(true, async (url) => {
      const response = await fetch(new URL('/ping', url), { signal: AbortSignal.timeout(pingMilliseconds) });
      await response.arrayBuffer();
      if (!response.ok) throw new EngineError('unavailable', `${url} answers ${response.status}`);
    });
  }

  /** @throws EngineError */
  async request(request: ClusterRequest): Promise<{ readonly body: Uint8Array; readonly statistics: QueryStatistics }> {
    const [response, url] = await this.#send(request);
    try {
      const body = new Uint8Array(await response.arrayBuffer());
      return { body, statistics: statisticsOf(response) };
    } catch (error) {
      this.#kill(url, request.queryId);
      throw failureOf(error, request.signal);
    }
  }

  /** @throws EngineError while iterating; a failure after the first byte shows as a body that breaks off: `unavailable` */
  async *stream(request: ClusterRequest): AsyncGenerator<Uint8Array> {
    const [response, url] = await this.#send(request);
    let whole = false;
    try {
      for await (const chunk of response.body ?? []) yield chunk;
      whole = true;
    } catch (error) {
      throw failureOf(error, request.signal);
    } finally {
      if (!whole) this.#kill(url, request.queryId);
    }
  }

  async #send(request: ClusterRequest): Promise<readonly [Response, string]> {
    if (request.signal?.aborted === true) throw new EngineError('cancelled');
    return this.#first(request.repeatable, async (url) => {
      try {
        const response = await fetch(this.#address(url, request), {
          method: 'POST',
          headers: this.#headers(),
          body: request.body === undefined ? request.sql : ReadableStream.from(request.body),
          duplex: 'half',
          ...(request.signal === undefined ? {} : { signal: request.signal }),
        });
        if (!response.ok) throw engineErrorOf(withNumber(response, await response.text()));
        return [response, url] as const;
      } catch (error) {
        if (request.signal?.aborted === true) this.#kill(url, request.queryId);
        throw failureOf(error, request.signal);
      }
    });
  }

  /** Tries the work on one server after another until one of them answers at all. */
  async #first<T>(repeatable: boolean, work: (url: string) => Promise<T>): Promise<T> {
    const { urls } = this.#options;
    let last = new EngineError('unavailable', 'no server');
    for (let attempt = 0; attempt < urls.length; attempt += 1) {
      try {
        return await work(urls[this.#current]!);
      } catch (error) {
        const failure = failureOf(error, undefined);
        if (failure.code !== 'unavailable') throw failure;
        last = failure;
        this.#current = (this.#current + 1) % urls.length;
        if (!repeatable && !neverSent.test(failure.detail)) break;
      }
    }
    throw last;
  }

  /** Stops a query on its server; whether it was still there does not matter. */
  #kill(url: string, queryId: string): void {
    const request = { settings: {}, format: 'Null', queryId: `${queryId}-kill` };
    const sql = `KILL QUERY WHERE query_id = ${quoteString(queryId)} ASYNC`;
    fetch(this.#address(url, request), { method: 'POST', headers: this.#headers(), body: sql })
      .then((response) => response.arrayBuffer())
      .catch(() => undefined);
  }

  #address(
    url: string,
    request: Pick<ClusterRequest, 'settings' | 'format' | 'queryId'> & {
      readonly body?: unknown;
      readonly sql?: string;
    },
  ): URL {
    const address = new URL('/', url);
    address.searchParams.set('database', this.#options.database);
    address.searchParams.set('default_format', request.format);
    address.searchParams.set('query_id', request.queryId);
    for (const [name, value] of Object.entries(request.settings)) address.searchParams.set(name, value);
    if (request.body !== undefined && request.sql !== undefined) address.searchParams.set('query', request.sql);
    return address;
  }

  #headers(): Record<string, string> {
    return { 'X-ClickHouse-User': this.#options.user, 'X-ClickHouse-Key': this.#options.password };
  }
}

function withNumber(response: Response, text: string): string {
  const number = response.headers.get('X-ClickHouse-Exception-Code');
  return number === null || text.startsWith('Code: ') ? text : `Code: ${number}. ${text}`;
}

function statisticsOf(response: Response): QueryStatistics {
  const summary = JSON.parse(response.headers.get('X-ClickHouse-Summary') ?? '{}') as Readonly<Record<string, string>>;
  return {
    elapsedNanoseconds: Number(summary['elapsed_ns'] ?? 0),
    rowsRead: Number(summary['read_rows'] ?? 0),
    bytesRead: Number(summary['read_bytes'] ?? 0),
  };
}

/** Translates what fetch throws: `cancelled` when the signal fired, otherwise `unavailable`. */
function failureOf(error: unknown, signal: AbortSignal | undefined): EngineError {
  if (error instanceof EngineError) return error;
  if (signal?.aborted === true) return new EngineError('cancelled');
  const { message, cause } = error as Error;
  const reason = cause as { readonly code?: string; readonly message?: string } | undefined;
  return new EngineError('unavailable', [message, reason?.code, reason?.message].filter(Boolean).join(': '));
}
