import { Failure, messageOf, usage } from '../failure.js';
import type { Exit } from '../exit-codes.js';
import type { Io } from '../io.js';

export interface ClientOptions {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  readonly org?: string;
}

export interface Request {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is bytes. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** What is wrong inside a query. */
export interface QueryDetail {
  readonly message: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** The server answered, and not with success. */
export class AnswerError extends Failure {
  override readonly name = 'AnswerError';
  readonly status: number;
  /** Milliseconds the server asks to wait. */
  readonly retryAfter: number | undefined;
  readonly detail: QueryDetail | undefined;

  constructor(status: number, message: string, more: { retryAfter?: number | undefined; detail?: QueryDetail } = {}) {
    super(exitOf(status), message);
    this.status = status;
    this.retryAfter = more.retryAfter;
    this.detail = more.detail;
  }
}

/** The server did not answer, or stopped in the middle of its answer. */
export class ConnectionError extends Failure {
  override readonly name = 'ConnectionError';
  constructor(message: string, cause: unknown) {
    super('unavailable', message, { cause });
  }
}

function exitOf(status: number): Exit {
  if (status === 401 || status === 403) return 'refused';
  if (status === 404) return 'not-found';
  return status === 429 || status === 503 ? 'unavailable' : 'failed';
}

/** Any server that speaks the interface. */
export class Client {
  readonly url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url, token, org }: ClientOptions) {
    this.url = url;
    this.#headers = { authorization: `Bearer ${token}`, ...(org !== undefined && { 'x-axiom-org-id': org }) };
  }

  /**
   * Sends a request and gives the answer, whose body is still to be read.
   * @param path begins with a slash; names in it are encoded
   * @throws AnswerError, ConnectionError
   */
  async send(method: string, path: string, { query = {}, headers, body, signal }: Request = {}): Promise<Response> {
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const json = body !== undefined && !(body instanceof Uint8Array);
    let answer: Response;
    try {
      answer = await fetch(url, {
        method,
        redirect: 'error',
        headers: { ...this.#headers, ...(json && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: json ? JSON.stringify(body) : (body as Uint8Array<ArrayBuffer>) }),
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      throw new ConnectionError(`cannot reach ${this.url}: ${reasonOf(error)}`, error);
    }
    if (!answer.ok) throw await this.#errorOf(answer);
    return answer;
  }

  /**
   * The body of an answer as text, without a byte changed: numbers too large for JavaScript stay whole.
   * @throws AnswerError, ConnectionError
   */
  async text(method: string, path: string, request?: Request): Promise<string> {
    const answer = await this.send(method, path, request);
    try {
      return await answer.text();
    } catch (error) {
      throw this.brokenOff(error);
    }
  }

  /**
   * The body of an answer as JSON; undefined when it is empty.
   * @throws AnswerError, ConnectionError; Failure when it is not JSON
   */
  async json(method: string, path: string, request?: Request): Promise<unknown> {
    const text = await this.text(method, path, request);
    if (text === '') return undefined;
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new Failure('failed', `${this.url} answered something that is not JSON; is it the right URL?`, {
        cause: error,
      });
    }
  }

  /** The error for an answer that ended early. */
  brokenOff(error: unknown): ConnectionError {
    return new ConnectionError(`${this.url} broke off its answer: ${reasonOf(error)}`, error);
  }

  async #errorOf(answer: Response): Promise<AnswerError> {
    const text = await answer.text().catch(() => '');
    const { message, detail } = bodyOf(text);
    const trace = answer.headers.get('x-axiom-trace-id');
    const said = message ?? `${this.url} answered ${answer.status} ${answer.statusText}`.trim();
    return new AnswerError(
      answer.status,
      answer.status >= 500 && trace !== null && !said.includes(trace) ? `${said} (trace id ${trace})` : said,
      { retryAfter: waitOf(answer.headers.get('retry-after')), ...(detail !== undefined && { detail }) },
    );
  }
}

interface ErrorBody {
  readonly message?: string;
  readonly detail?: QueryDetail;
}

function bodyOf(text: string): ErrorBody {
  try {
    const { message, error, detail } = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
    const said = [message, error].find((part) => typeof part === 'string');
    const place = Object(detail) as Partial<QueryDetail>;
    const placed =
      typeof place.message === 'string' && typeof place.line === 'number' && typeof place.column === 'number';
    return { ...(said !== undefined && { message: said }), ...(placed && { detail: place as QueryDetail }) };
  } catch {
    return {};
  }
}

/** `Retry-After` is seconds or a date. */
function waitOf(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const milliseconds = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there; start the server with: millrace serve';
    case 'ENOTFOUND':
      return 'there is no such host';
    default:
      return messageOf(cause);
  }
}

/**
 * The server that the options or the environment name.
 * @throws Failure `usage`
 */
export function connect(
  options: { readonly url?: string; readonly token?: string; readonly org?: string },
  env: Io['env'],
): Client {
  const set = (...values: readonly (string | undefined)[]) =>
    values.find((value) => value !== undefined && value !== '');
  const url = set(options.url, env['MILLRACE_URL'], env['AXIOM_URL']) ?? 'http://127.0.0.1:8080';
  const token = set(options.token, env['MILLRACE_TOKEN'], env['AXIOM_TOKEN']);
  const org = set(options.org, env['MILLRACE_ORG_ID'], env['AXIOM_ORG_ID']);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw usage(`'${url}' is no URL of a server; expected one such as http://127.0.0.1:8080`);
  }
  if (token === undefined) throw usage('no token: set MILLRACE_TOKEN, or use --token');
  if (!/^[\u0021-\u007E]+$/.test(token)) throw usage('the token has characters no token can have');
  return new Client({ url: url.replace(/\/+$/, ''), token, ...(org !== undefined && { org }) });
}

/** A name as a part of a path. */
export const inPath = (name: string): string => encodeURIComponent(name);
