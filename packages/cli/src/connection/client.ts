import { type AnswerOf, ApiError, createClient, type Given, type Operation } from '@millrace/client';
import { Failure, usage } from '../failure.js';
import { messageOf } from '../system-errors.js';
import { Progress } from '../ingest/progress.js';
import type { Exit } from '../exit-codes.js';
import type { Io } from '../io.js';
import { durationText } from '../render/quantity.js';
import { attended, ServerSilent } from './attended.js';
import { defaultUrl } from './options.js';
import { inFlags } from './in-flags.js';

interface ClientOptions {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  readonly org?: string;
  /** Shows that an answer takes long. */
  readonly progress?: Pick<Progress, 'show' | 'clear'>;
}

/** Milliseconds for which nothing is shown: a request of `stream` is held for half as long. */
const unremarkable = 10_000;

/** What is wrong in a query, and where. */
interface QueryDetail {
  readonly message: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** The server answered, and not with success. */
export class AnswerError extends Failure {
  override readonly name = 'AnswerError';
  readonly status: number;
  /**
   * Which error it is, by the name that docs/http.md gives it. None if somebody else answered, such
   * as a proxy.
   */
  readonly reason: string | undefined;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter: number | undefined;
  readonly detail: QueryDetail | undefined;

  constructor(error: ApiError) {
    const { status, reason, traceId, retryAfter, detail } = error;
    const message = inFlags(error.message);
    const traced = status >= 500 && traceId !== undefined && !message.includes(traceId);
    super(exitOf(error), traced ? `${message} (trace id ${traceId})` : message, { cause: error });
    this.status = status;
    this.reason = reason;
    this.retryAfter = retryAfter;
    this.detail = isPlaced(detail) ? detail : undefined;
  }
}

/** The server did not answer, or stopped in the middle of its answer. */
export class ConnectionError extends Failure {
  override readonly name = 'ConnectionError';
  constructor(message: string, cause: unknown) {
    super('unavailable', message, { cause });
  }
}

/** What the status alone does not tell, by the name of the error. */
const exitByReason: ReadonlyMap<string | undefined, Exit> = new Map([
  ['invalid-request', 'usage'],
  ['missing-body', 'usage'],
  ['query-dataset-not-found', 'not-found'],
  // Trying again would go on for a day.
  ['too-soon', 'failed'],
]);

function exitOf({ status, reason }: ApiError): Exit {
  const exit = exitByReason.get(reason);
  if (exit !== undefined) return exit;
  if (status === 401 || status === 403) return 'refused';
  if (status === 404) return 'not-found';
  // 502 and 504 are those of a proxy whose server is away.
  return [429, 502, 503, 504].includes(status) ? 'unavailable' : 'failed';
}

function isPlaced(detail: unknown): detail is QueryDetail {
  const { message, line, column } = Object(detail) as Partial<QueryDetail>;
  return typeof message === 'string' && typeof line === 'number' && typeof column === 'number';
}

/** Any server that speaks the interface. */
export class Client {
  readonly url: string;
  readonly #api: ReturnType<typeof createClient>;

  constructor({ url, token, org, progress }: ClientOptions) {
    this.url = url;
    const waiting = (milliseconds: number): void => {
      if (milliseconds > unremarkable)
        progress?.show(() => `no answer yet from ${url} · ${durationText(milliseconds)}`);
    };
    this.#api = createClient({
      url,
      token,
      ...(org !== undefined && { orgId: org }),
      fetch: async (target, init) => {
        try {
          return await attended(target, init, { url, waiting });
        } catch (error) {
          if (error instanceof ServerSilent) throw new ConnectionError(error.message, error);
          if (saysOnly(error, 'bad port')) throw usage(badPort(url));
          if (saysOnly(error, 'unexpected redirect')) throw usage(redirected(url));
          throw new ConnectionError(`cannot reach ${url}: ${reasonOf(error)}${hintAtTls(url, error)}`, error);
        } finally {
          await progress?.clear();
        }
      },
    });
  }

  /**
   * Calls an operation and returns the answer, with its body still to be read.
   * @throws AnswerError, ConnectionError; Failure `usage` for a name that no path, or a text that
   * no header can carry
   */
  async send<O extends Operation>(operation: O, ...given: Given<O>): Promise<Response> {
    try {
      return await this.#api.send(operation, ...given);
    } catch (error) {
      if (error instanceof ApiError) throw new AnswerError(error);
      throw error instanceof TypeError ? usage(inFlags(error.message)) : error;
    }
  }

  /**
   * The body of an answer as text, unchanged, so that numbers too large for JavaScript stay exact.
   * @throws as `send`
   */
  async text<O extends Operation>(operation: O, ...given: Given<O>): Promise<string> {
    const answer = await this.send(operation, ...given);
    try {
      return await answer.text();
    } catch (error) {
      throw this.brokenOff(error, answer);
    }
  }

  /**
   * The body of an answer as JSON; undefined when it is empty.
   * @throws as `send`; Failure when it is not JSON
   */
  async call<O extends Operation>(operation: O, ...given: Given<O>): Promise<AnswerOf<O>> {
    const text = await this.text(operation, ...given);
    try {
      return (text === '' ? undefined : JSON.parse(text)) as AnswerOf<O>;
    } catch (error) {
      throw new Failure('failed', `${this.url} answered something that is not JSON; is it the right URL?`, {
        cause: error,
      });
    }
  }

  /**
   * The error for an answer that ended early. A server that ends one on purpose cannot tell its
   * client why; its log says.
   */
  brokenOff(error: unknown, { headers }: Response): ConnectionError {
    const traceId = headers.get('x-axiom-trace-id');
    const logged = traceId === null ? '' : `; if the server ended it, its log says why under trace id ${traceId}`;
    return new ConnectionError(`${this.url} broke off its answer: ${reasonOf(error)}${logged}`, error);
  }
}

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error;

const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '');

/** What `fetch` itself refuses has no other sign than its message. */
const saysOnly = (error: unknown, message: string): boolean => {
  const cause = causeOf(error);
  return cause instanceof Error && cause.message === message;
};

/** `fetch` sends nothing to some ports, which belong to other protocols. */
const badPort = (url: string): string =>
  `port ${new URL(url).port} is one that browsers, and this command, send nothing to, because it belongs to another protocol; start the server with another --port`;

const redirected = (url: string): string =>
  `${url} answers that the server is elsewhere, and the token is not taken there unasked; name the address that it leads to${url.startsWith('http:') ? ', which may be the same with https:// in place of http://' : ''}`;

/** A TLS server closes a plain connection without any message. */
const hintAtTls = (url: string, error: unknown): string =>
  url.startsWith('http:') && codeOf(causeOf(error)) === 'UND_ERR_SOCKET'
    ? '; if what listens there speaks TLS, write https:// in place of http://'
    : '';

function reasonOf(error: unknown): string {
  const cause = causeOf(error);
  switch (codeOf(cause)) {
    case 'ECONNREFUSED':
      return 'nothing listens there; start the server with: millrace serve';
    case 'ENOTFOUND':
      return 'there is no such host';
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return 'what listens there does not speak TLS; try http:// in place of https://';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      // Later versions of Node add advice of their own.
      return `${messageOf(cause).split(';')[0]}; to trust it, name a PEM file of it, or of who signed it, in NODE_EXTRA_CA_CERTS`;
    default:
      return messageOf(cause);
  }
}

/**
 * A client of the server that the options or the environment name.
 * @throws Failure `usage`
 */
export function connect(
  options: { readonly url?: string; readonly token?: string; readonly org?: string },
  { env, err }: Pick<Io, 'env' | 'err'>,
): Client {
  const set = (...values: readonly (string | undefined)[]) =>
    values.find((value) => value !== undefined && value !== '');
  const url = set(options.url, env['MILLRACE_URL'], env['AXIOM_URL']) ?? defaultUrl;
  const token = set(options.token, env['MILLRACE_TOKEN'], env['AXIOM_TOKEN']);
  const org = set(options.org, env['MILLRACE_ORG_ID'], env['AXIOM_ORG_ID']);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw usage(`'${url}' is no URL of a server; expected one such as http://127.0.0.1:8080`);
  }
  // The URL is not repeated: it may hold a password.
  if (/[?#]|^[^/]*\/\/[^/]*@/.test(url))
    throw usage('the URL of the server must have neither a user nor parameters; a token is given with --token');
  if (token === undefined) throw usage('no token: set MILLRACE_TOKEN, or use --token');
  if (!/^[\u0021-\u007E]+$/.test(token)) throw usage('the token has characters no token can have');
  if (org !== undefined && !/^[\u0021-\u007E]+$/.test(org))
    throw usage('the id of the organisation has characters no id can have');
  const progress = new Progress(err);
  return new Client({ url: url.replace(/\/+$/, ''), token, progress, ...(org !== undefined && { org }) });
}
