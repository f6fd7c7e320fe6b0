/**
 * Every error a client can meet, declared once. Bodies are `{code, message}`; a header of the
 * answer, the docs, the routes and the metrics take the codes from here.
 */

interface ErrorRecord {
  readonly status: number;
  /** `{name}` is filled in from the parameters. */
  readonly message: string;
  /** How to fix it; sent after the message. */
  readonly hint?: string;
}

export const errorTable = {
  'invalid-request': { status: 400, message: '{problem}' },
  'invalid-json': {
    status: 400,
    message: 'the request body is not valid JSON: {problem}',
    hint: 'send one JSON value in UTF-8',
  },
  // 422: the Axiom plugin of Grafana sends a query without a body to find out whether address and
  // token are right, and expects this.
  'missing-body': { status: 422, message: 'the request needs a JSON body' },
  'invalid-query': { status: 400, message: '{problem}' },
  // 400, as clients of the interface expect of a query that does not compile.
  'query-dataset-not-found': { status: 400, message: '{problem}' },
  // The query is right, and would be answered were its datasets elsewhere.
  'datasets-apart': {
    status: 422,
    message: "one query cannot read dataset '{one}', which is on shard {oneShard}, and '{other}' on shard {otherShard}",
    hint: 'ask about each by itself; docs/cluster.md says how a dataset is moved to another shard',
  },
  'invalid-dashboard': { status: 400, message: 'the dashboard is not valid: {problem}' },
  'invalid-cursor': {
    status: 400,
    message: 'the cursor is not one this server gave out',
    hint: 'send minCursor or maxCursor of an earlier answer, or leave it out',
  },
  'invalid-events': { status: 400, message: '{problem}' },
  'invalid-url': { status: 400, message: 'the URL is malformed: {problem}', hint: 'percent-encode names as UTF-8' },
  'bad-http': { status: 400, message: 'the request is not well-formed HTTP: {problem}' },
  // Answered with the setting auth-failure-status; see `statusOf`.
  unauthenticated: {
    status: 403,
    message: 'authentication failed: {reason}',
  },
  forbidden: {
    status: 403,
    message: 'forbidden: this needs {need}',
    hint: 'use a token that has it, or ask an administrator for it',
  },
  // Below /console/api, where a cookie signs requests in: a page of another origin must not use it.
  'not-from-console': {
    status: 403,
    message: 'this path takes requests from the pages of the console only: {problem}',
    hint: 'programs send the same request without /console/api in front, and with a token',
  },
  'plain-http': {
    status: 403,
    message: 'nobody can sign in here over plain HTTP: everybody on the way could read the token',
    hint: 'use HTTPS; if a proxy in front has it, name the proxy in MILLRACE_TRUSTED_PROXIES and let it send X-Forwarded-Proto; or start the server with MILLRACE_CONSOLE_PLAIN_HTTP=true',
  },
  'protected-resource': { status: 403, message: 'forbidden: {reason}' },
  'not-found': { status: 404, message: "{kind} '{name}' not found" },
  'dataset-not-found': {
    status: 404,
    message: "dataset '{name}' not found",
    hint: 'GET /v2/datasets lists those there are',
  },
  // Only who sends events is helped by making the dataset.
  'ingest-dataset-not-found': {
    status: 404,
    message: "dataset '{name}' not found",
    hint: 'create it with POST /v2/datasets {"name": "…"}, or start the server with MILLRACE_AUTO_CREATE_DATASETS=true',
  },
  'ingest-dataset-not-named': {
    status: 400,
    message: 'the request does not say which dataset its events go to',
    hint: 'name it where the protocol has a place for it, or use a token that may send to one dataset only',
  },
  // Where the server would make it.
  'ingest-dataset-not-created': {
    status: 404,
    message: "dataset '{name}' not found",
    hint: 'to create it by sending events, use a token that has {need}; or have it created with POST /v2/datasets {"name": "…"}',
  },
  'route-not-found': {
    status: 404,
    message: '{method} {path} not found',
    hint: 'GET /openapi.json lists every route',
  },
  'route-behind-prefix': {
    status: 404,
    message: '{method} {path} not found, but {route} is',
    hint: 'the URL that a client is given ends at the host: leave out {prefix}',
  },
  'route-not-served': {
    status: 404,
    message: '{method} {path} not found: this server does not serve {what}',
    hint: '{instead}',
  },
  'method-not-allowed': { status: 405, message: '{method} is not allowed on {path}', hint: 'allowed: {allowed}' },
  'body-stalled': {
    status: 408,
    message: 'nothing of the body came for {seconds} seconds while there was no room for others',
    hint: 'send it again, without a pause',
  },
  'request-timeout': { status: 408, message: 'the request did not arrive in time' },
  'already-exists': { status: 409, message: "{kind} '{name}' already exists" },
  'quota-reached': {
    status: 403,
    message: 'forbidden: {problem}',
    hint: 'delete some, or raise the setting {setting}',
  },
  'key-reused': {
    status: 409,
    message: "the idempotency key '{key}' was used for another request",
    hint: 'use a new key for each request, and the same one only to send a request again',
  },
  'version-conflict': {
    status: 412,
    message: 'version conflict: {present}',
    hint: 'read it again and send its version, or set overwrite to replace whatever is there',
  },
  'body-too-large': {
    status: 413,
    message: 'the request body is larger than {limit} bytes',
    hint: 'send it in several requests',
  },
  // Of anything but events.
  'json-too-large': {
    status: 413,
    message: 'the request body is larger than {limit} bytes',
    hint: 'the limit is that of the setting MILLRACE_MAX_JSON_BODY_BYTES',
  },
  'events-too-large': {
    status: 413,
    message:
      'the {what} of this request take more than {limit} bytes, each with what is sent once for its resource and scope',
    hint: 'send them in several requests',
  },
  'too-many-datasets': {
    status: 413,
    message: 'the request has events for more than {limit} datasets',
    hint: 'divide it into several requests',
  },
  'too-many-actions': {
    status: 413,
    message: 'the request has more than {limit} actions',
    hint: 'divide it into several requests',
  },
  'too-many-failures': {
    status: 413,
    message: 'more than {limit} events of this request are wrong; none was stored',
    hint: 'send them in several requests',
  },
  'url-too-long': { status: 414, message: 'the URL is longer than {limit} bytes' },
  'unsupported-encoding': {
    status: 415,
    message: "unsupported content encoding '{encoding}'",
    hint: 'supported: {supported}',
  },
  'unsupported-content-type': {
    status: 415,
    message: "unsupported content type '{type}'",
    hint: 'supported: {supported}',
  },
  'expectation-failed': {
    status: 417,
    message: "this server does not know the expectation '{expectation}'",
    hint: 'leave out the header Expect, or send Expect: 100-continue',
  },
  'http-too-old': {
    status: 426,
    message: 'an answer of this route that broke off would look complete over HTTP/1.0',
    hint: 'ask over HTTP/1.1, and let every proxy in between do so (in nginx: proxy_http_version 1.1)',
  },
  'rate-limited': { status: 429, message: 'rate limit exceeded: {limit} requests a minute' },
  'too-many-queries': {
    status: 429,
    message: 'this token already runs {limit} queries at once',
    hint: 'wait for one to finish',
  },
  'too-soon': { status: 429, message: '{problem}' },
  'ingest-behind': {
    status: 429,
    message: 'the server has {pending} bytes waiting to be stored',
    hint: 'send the events again after the time in Retry-After',
  },
  'headers-too-large': { status: 431, message: 'the request headers are larger than {limit} bytes' },
  'query-out-of-memory': {
    status: 432,
    message: 'the query needs more memory than the {limit} bytes it may use',
    hint: 'narrow the time range, or group by fewer values',
  },
  'query-too-long': {
    status: 408,
    message: 'the query ran longer than {seconds} s and was stopped',
    hint: 'narrow the time range or filter earlier',
  },
  'query-cancelled': { status: 409, message: 'the query was stopped before it finished' },
  'query-too-large': {
    status: 400,
    message: 'the query would {problem}',
    hint: 'narrow the time range, filter earlier, or summarize',
  },
  internal: { status: 500, message: 'internal error; the server log has the details under trace id {traceId}' },
  'out-of-memory': {
    status: 500,
    message: 'the events of this request take more memory to read than there is; none of them was stored',
    hint: 'send them in several requests',
  },
  // These three end an answer that has begun: the code is in the log, and the client sees that the
  // end is missing.
  'dataset-deleted': {
    status: 409,
    message: 'a dataset that this reads was deleted before all of the answer was sent',
    hint: 'ask again for what the others have',
  },
  'reader-stalled': { status: 408, message: 'nothing of the answer was read for {seconds} s' },
  'reader-too-slow': {
    status: 408,
    message: 'this was read more slowly than {pace} bytes a second while others waited for its place',
    hint: 'read faster, or ask for less at a time',
  },
  'no-row-in-time': {
    status: 408,
    message: 'this gave no row for {seconds} seconds while others waited for its place',
    hint: 'ask for less at a time, or when less is going on',
  },
  'disk-full': {
    status: 503,
    message: 'the server cannot store this: its disk is full',
    hint: 'nothing of this request was stored; send it again later',
  },
  'storage-unavailable': {
    status: 503,
    message: 'the storage engine is not available at the moment',
    hint: 'try again after the time in Retry-After',
  },
  'metadata-unavailable': {
    status: 503,
    message: 'the server cannot reach the database that has its tokens and datasets',
    hint: 'try again after the time in Retry-After',
  },
  'not-confirmed': {
    status: 503,
    message: 'the storage engine did not confirm the events in time: they may or may not be stored',
    hint: 'send them again; with an Idempotency-Key they are stored once',
  },
  'needs-a-log': {
    status: 501,
    message: 'where several nodes share the events there is no {what}',
    hint: 'docs/cluster.md says what is different there, and why',
  },
  'shutting-down': { status: 503, message: 'the server is shutting down', hint: 'try again in a few seconds' },
} as const satisfies Record<string, ErrorRecord>;

export type ErrorCode = keyof typeof errorTable;

/** Errors of a request that is not as its schema describes it. */
export type MismatchCode = 'invalid-request' | 'invalid-dashboard';

type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `"${string}` ? never : Name) | Placeholders<Rest>
  : never;
type TemplateOf<Code extends ErrorCode> =
  | (typeof errorTable)[Code]['message']
  | ((typeof errorTable)[Code] extends { readonly hint: infer Hint } ? Hint : never);

/** The parameters the texts of an error code name. */
type ErrorParameters<Code extends ErrorCode> = Readonly<Record<Placeholders<TemplateOf<Code>>, string | number>>;

interface HttpErrorOptions {
  /** Response headers, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Extra members of the body, such as `detail` of an APL error. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** For the server's log only; never sent. */
  readonly cause?: unknown;
}

/** The one error type that reaches clients. Whatever else is thrown is answered as `internal`. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: HttpErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.headers = options.headers ?? {};
    this.body = options.body ?? {};
  }
}

/** Makes the error to throw: `throw httpError('not-found', {kind: 'view', name})`. */
export function httpError<Code extends ErrorCode>(
  code: Code,
  parameters: ErrorParameters<Code>,
  options: HttpErrorOptions = {},
): HttpError {
  const { message, hint }: ErrorRecord = errorTable[code];
  const text = fill(hint === undefined ? message : `${message}; ${hint}`, parameters);
  return new HttpError(code, text, options);
}

/** HTTP status of an error; a failed authentication answers with what the operator chose. */
export function statusOf(code: ErrorCode, authFailureStatus: 401 | 403): number {
  return code === 'unauthenticated' ? authFailureStatus : errorTable[code].status;
}

function fill(template: string, parameters: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => printable(String(parameters[name])));
}

/**
 * Values come from requests: control characters would forge lines in a terminal or a log, and a
 * long value would drown the message.
 */
function printable(value: string): string {
  const clean = value.replaceAll(/[\p{Cc}\p{Cs}]/gu, '\u{FFFD}');
  return clean.length > 500 ? `${clean.slice(0, 500)}…` : clean;
}
