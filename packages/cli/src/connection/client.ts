import { type AnswerOf, ApiError, createClient, type Given, type Operation } from '@millrace/client';
import { Failure, usage } from '../failure.js';
import { messageOf } from '../system-errors.js';
import { Progress } from '../ingest/progress.js';
import type { Exit } from '../exit-codes.js';
import type { Io } from '../io.js';
import { durationText } from '../render/quantity.js';
import { fetchWithHealthcheck, ServerUnresponsiveError } from './fetch-with-healthcheck.js';
import { defaultUrl } from './options.js';
import { findLogin } from './stored-logins.js';
import { inFlags } from './flag-hints.js';

interface ClientOptions {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string;
  readonly org?: string;
  /** Shows slow responses. */
  readonly progress?: Pick<Progress, 'show' | 'clear'>;
}

/**
 * Milliseconds before progress is shown. Twice the time for which the server long-polls a `stream`
 * request.
 */
const unremarkable = 10_000;

/** Error in a query and its position. */
interface QueryDetail {
  readonly message: string;
  /** Both are 1-based. */
  readonly line: number;
  readonly column: number;
}

/** Error response. */
export class AnswerError extends Failure {
  override readonly name = 'AnswerError';
  readonly status: number;
  /**
   * Name of the error, from docs/http/errors.md; undefined for responses of others, such as a
   * proxy.
   */
  readonly reason: string | undefined;
  /** Requested wait in milliseconds. */
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

/** The server did not respond, or stopped during its response. */
export class ConnectionError extends Failure {
  override readonly name = 'ConnectionError';
  constructor(message: string, cause: unknown) {
    super('unavailable', message, { cause });
  }
}

/** Errors whose status alone does not determine the exit code. */
const exitByReason: ReadonlyMap<string | undefined, Exit> = new Map([
  ['invalid-request', 'usage'],
  ['missing-body', 'usage'],
  ['query-dataset-not-found', 'not-found'],
  // Retries could take a day.
  ['too-soon', 'failed'],
]);

function exitOf({ status, reason }: ApiError): Exit {
  const exit = exitByReason.get(reason);
  if (exit !== undefined) return exit;
  if (status === 401 || status === 403) return 'refused';
  if (status === 404) return 'not-found';
  // Proxies return 502 and 504 when their server is down.
  return [429, 502, 503, 504].includes(status) ? 'unavailable' : 'failed';
}

function isPlaced(detail: unknown): detail is QueryDetail {
  const { message, line, column } = Object(detail) as Partial<QueryDetail>;
  return typeof message === 'string' && typeof line === 'number' && typeof column === 'number';
}

/** Client for any server with this API. */
export class Client {
  readonly url: string;
  readonly #api: ReturnType<typeof createClient>;
  readonly #token: string;
  readonly #org: string | undefined;

  constructor({ url, token, org, progress }: ClientOptions) {
    this.url = url;
    this.#token = token;
    this.#org = org;
    const scheduleWait = (milliseconds: number): void => {
      if (milliseconds > unremarkable)
        progress?.show(() => `no answer yet from ${url} · ${durationText(milliseconds)}`);
    };
    this.#api = createClient({
      url,
      token,
      ...(org !== undefined && { orgId: org }),
      fetch: async (target, init) => {
        try {
          return await fetchWithHealthcheck(target, init, { url, waiting: scheduleWait });
        } catch (error) {
          if (error instanceof ServerUnresponsiveError) throw new ConnectionError(error.message, error);
          if (saysOnly(error, 'bad port')) throw usage(badPort(url));
          if (saysOnly(error, 'unexpected redirect')) throw usage(requireNoRedirect(url));
          throw new ConnectionError(`cannot reach ${url}: ${reasonOf(error)}${hintAtTls(url, error)}`, error);
        } finally {
          await progress?.clear();
        }
      },
    });
  }

  /**
   * Calls an operation and returns the response with its body unread.
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
   * Posts JSON to a path that is no operation of the API; the response may have any status.
   * @throws ConnectionError
   */
  async post(
    path: string,
    body: string,
    { headers, signal }: Pick<RequestInit, 'headers' | 'signal'>,
  ): Promise<Response> {
    const all = new Headers(headers);
    all.set('authorization', `Bearer ${this.#token}`);
    if (this.#org !== undefined) all.set('x-axiom-org-id', this.#org);
    all.set('content-type', 'application/json');
    all.set('accept', 'application/json, text/event-stream');
    try {
      return await fetch(`${this.url}${path}`, { method: 'POST', body, headers: all, signal: signal ?? null });
    } catch (error) {
      throw new ConnectionError(`cannot reach ${this.url}: ${reasonOf(error)}${hintAtTls(this.url, error)}`, error);
    }
  }

  /**
   * Body as text, unchanged: numbers beyond the precision of JavaScript stay exact.
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
   * Body as JSON; undefined when empty.
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
   * Error for a truncated response. A server that aborts one cannot report the reason to its
   * client; its log has it.
   */
  brokenOff(error: unknown, { headers }: Response): ConnectionError {
    const traceId = headers.get('x-axiom-trace-id');
    const logged = traceId === null ? '' : `; if the server ended it, its log says why under trace id ${traceId}`;
    return new ConnectionError(`${this.url} closed the connection mid-response: ${reasonOf(error)}${logged}`, error);
  }
}

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error;

const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '');

/** Errors of `fetch` itself are recognizable by message only. */
const saysOnly = (error: unknown, message: string): boolean => {
  const cause = causeOf(error);
  return cause instanceof Error && cause.message === message;
};

/** `fetch` blocks some ports that belong to other protocols. */
const badPort = (url: string): string =>
  `port ${new URL(url).port} is one that browsers, and this command, send nothing to, because it belongs to another protocol; start the server with another --port`;

const requireNoRedirect = (url: string): string =>
  `${url} answers that the server is elsewhere, and the token is not taken there unasked; name the address that it leads to${url.startsWith('http:') ? ', which may be the same with https:// in place of http://' : ''}`;

/** A TLS server closes a plain connection without a response. */
const hintAtTls = (url: string, error: unknown): string =>
  url.startsWith('http:') && codeOf(causeOf(error)) === 'UND_ERR_SOCKET'
    ? '; if what listens there speaks TLS, write https:// in place of http://'
    : '';

function reasonOf(error: unknown): string {
  const cause = causeOf(error);
  switch (codeOf(cause)) {
    case 'ECONNREFUSED':
      return 'connection refused; is the server running? Start it with: millrace serve';
    case 'ENOTFOUND':
      return 'there is no such host';
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return 'what listens there does not speak TLS; try http:// in place of https://';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      // Later versions of Node append their own advice.
      return `${messageOf(cause).split(';')[0]}; to trust it, name a PEM file of it, or of who signed it, in NODE_EXTRA_CA_CERTS`;
    default:
      return messageOf(cause);
  }
}

const firstSet = (...values: readonly (string | undefined)[]): string | undefined =>
  values.find((value) => value !== undefined && value !== '');

/**
 * The server that the options or the environment name.
 * @throws Failure `usage`
 */
export function urlOf(options: { readonly url?: string | undefined }, { env }: Pick<Io, 'env'>): string {
  return checkedUrl(firstSet(options.url, env['MILLRACE_URL'], env['AXIOM_URL']) ?? defaultUrl);
}

/** The profile that the options or the environment name. */
export const profileOf = (
  options: { readonly profile?: string | undefined },
  { env }: Pick<Io, 'env'>,
): string | undefined => firstSet(options.profile, env['MILLRACE_PROFILE']);

function checkedUrl(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw usage(`'${url}' is no URL of a server; expected one such as http://127.0.0.1:8080`);
  }
  // Omits the URL, which may contain a password.
  if (/[?#]|^[^/]*\/\/[^/]*@/.test(url))
    throw usage('the URL of the server must have neither a user nor parameters; a token is given with --token');
  return url.replace(/\/+$/, '');
}

/**
 * Client for the server that the options or the environment name. Without a token, the one of
 * `millrace login` is used: by profile, else by server, or if neither is named, the last one.
 * A named profile goes before addresses, tokens and organizations of the environment.
 * @throws Failure `usage`
 */
export function connect(
  options: { readonly url?: string; readonly token?: string; readonly org?: string; readonly profile?: string },
  { env, err }: Pick<Io, 'env' | 'err'>,
): Client {
  const profile = options.token === undefined ? profileOf(options, { env }) : undefined;
  const ofEnvironment = profile === undefined ? env : {};
  const named = firstSet(options.url, ofEnvironment['MILLRACE_URL'], ofEnvironment['AXIOM_URL']);
  const given = firstSet(options.token, ofEnvironment['MILLRACE_TOKEN'], ofEnvironment['AXIOM_TOKEN']);
  const url = named === undefined ? undefined : checkedUrl(named);
  const login = given === undefined ? findLogin({ env }, { url, profile }) : undefined;
  const token = given ?? login?.token;
  const ofProfile = profile === undefined ? undefined : login?.org;
  const org = firstSet(options.org, ofProfile, env['MILLRACE_ORG_ID'], env['AXIOM_ORG_ID'], login?.org);
  if (token === undefined && profile !== undefined)
    throw usage(`no login with the profile '${profile}'; run millrace login --profile ${profile} --url URL`);
  if (token === undefined) throw usage('no token: set MILLRACE_TOKEN, use --token, or sign in with millrace login');
  if (!/^[\u0021-\u007E]+$/.test(token)) throw usage('the token contains invalid characters');
  if (org !== undefined && !/^[\u0021-\u007E]+$/.test(org))
    throw usage('the organization ID contains invalid characters');
  const progress = new Progress(err);
  return new Client({ url: url ?? login?.url ?? defaultUrl, token, progress, ...(org !== undefined && { org }) });
}
