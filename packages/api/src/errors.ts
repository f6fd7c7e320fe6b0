/**
 * Every error a client can get, declared once. Bodies are `{code, message}`; a response header, the
 * docs, the routes and the metrics take the codes from here.
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
  // The request is valid, but its datasets are on different shards.
  'datasets-apart': {
    status: 422,
    message: "datasets '{one}' (shard {oneShard}) and '{other}' (shard {otherShard}) are apart: {problem}",
    hint: 'filter or aggregate each dataset first; docs/scaling.md explains how to move a dataset to another shard',
  },
  'invalid-dashboard': { status: 400, message: 'the dashboard is not valid: {problem}' },
  'invalid-cursor': {
    status: 400,
    message: 'invalid cursor',
    hint: 'use minCursor or maxCursor from an earlier response, or omit it',
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
    message: 'forbidden: requires {need}',
    hint: 'use a token with this capability or ask an administrator',
  },
  // Below /console/api, where a cookie signs requests in: a page of another origin must not use it.
  'not-from-console': {
    status: 403,
    message: 'this path only accepts requests from the console: {problem}',
    hint: 'API clients: remove /console/api from the path and send a token',
  },
  'plain-http': {
    status: 403,
    message: 'sign-in over plain HTTP is disabled: the token would be sent unencrypted',
    hint: 'use HTTPS; behind a TLS proxy, add it to MILLRACE_TRUSTED_PROXIES and have it send X-Forwarded-Proto; or set MILLRACE_CONSOLE_PLAIN_HTTP=true',
  },
  'protected-resource': { status: 403, message: 'forbidden: {reason}' },
  'not-found': { status: 404, message: "{kind} '{name}' not found" },
  'dataset-not-found': {
    status: 404,
    message: "dataset '{name}' not found",
    hint: 'list datasets with GET /v2/datasets',
  },
  // Only who sends events is helped by making the dataset.
  'ingest-dataset-not-found': {
    status: 404,
    message: "dataset '{name}' not found",
    hint: 'create it with POST /v2/datasets {"name": "…"}, or start the server with MILLRACE_AUTO_CREATE_DATASETS=true',
  },
  'wrong-dataset-kind': {
    status: 400,
    message: "dataset '{name}' has kind {kind} and stores {stored}, not {sent}",
    hint: '{remedy}',
  },
  'ingest-dataset-not-named': {
    status: 400,
    message: 'no dataset specified',
    hint: 'specify it as the protocol allows, or use a token limited to one dataset',
  },
  // Where the server would make it.
  'ingest-dataset-not-created': {
    status: 404,
    message: "dataset '{name}' not found",
    hint: 'use a token with {need} to create it on ingest, or create it with POST /v2/datasets {"name": "…"}',
  },
  'route-not-found': {
    status: 404,
    message: '{method} {path} not found',
    hint: 'GET /openapi.json lists every route',
  },
  'route-behind-prefix': {
    status: 404,
    message: '{method} {path} not found, but {route} is',
    hint: "set the client's base URL without {prefix}",
  },
  'route-not-served': {
    status: 404,
    message: '{method} {path} not found: this server does not serve {what}',
    hint: '{instead}',
  },
  'method-not-allowed': { status: 405, message: '{method} is not allowed on {path}', hint: 'allowed: {allowed}' },
  'body-stalled': {
    status: 408,
    message: 'no request data received for {seconds} s while the server was at capacity',
    hint: 'retry without pausing the upload',
  },
  'request-timeout': { status: 408, message: 'the request did not arrive in time' },
  'already-exists': { status: 409, message: "{kind} '{name}' already exists" },
  'org-quota-reached': {
    status: 429,
    message: '{problem}',
    hint: "ask an administrator of the server to raise the organization's limit",
  },
  'quota-reached': {
    status: 403,
    message: 'forbidden: {problem}',
    hint: 'delete some, or raise the setting {setting}',
  },
  'key-reused': {
    status: 409,
    message: "idempotency key '{key}' was already used for a different request",
    hint: 'use a unique key per request; reuse it only for retries',
  },
  'version-conflict': {
    status: 412,
    message: 'version conflict: {present}',
    hint: 're-read it and send the current version, or set overwrite',
  },
  'body-too-large': {
    status: 413,
    message: 'the request body is larger than {limit} bytes',
    hint: 'split it into several requests',
  },
  // Of anything but events.
  'json-too-large': {
    status: 413,
    message: 'the request body is larger than {limit} bytes',
    hint: 'limited by MILLRACE_MAX_JSON_BODY_BYTES',
  },
  'events-too-large': {
    status: 413,
    message: 'the {what} in this request exceed {limit} bytes, including resource and scope attributes',
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
    message: 'more than {limit} events failed validation; nothing was stored',
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
    message: "unsupported expectation '{expectation}'",
    hint: 'remove the Expect header or send Expect: 100-continue',
  },
  'http-too-old': {
    status: 426,
    message: 'HTTP/1.1 is required: truncated responses cannot be detected over HTTP/1.0',
    hint: 'use HTTP/1.1 end to end, including proxies (nginx: proxy_http_version 1.1)',
  },
  'rate-limited': { status: 429, message: 'rate limit exceeded: {limit} requests per minute' },
  'too-many-queries': {
    status: 429,
    message: 'too many concurrent queries for this token (limit {limit})',
    hint: 'wait for one to finish',
  },
  'too-soon': { status: 429, message: '{problem}' },
  'ingest-behind': {
    status: 429,
    message: 'ingest backlog is full ({pending} bytes pending)',
    hint: 'retry after the delay in Retry-After',
  },
  'headers-too-large': { status: 431, message: 'the request headers are larger than {limit} bytes' },
  'query-out-of-memory': {
    status: 432,
    message: 'query exceeded its memory limit of {limit} bytes',
    hint: 'narrow the time range, or group by fewer values',
  },
  'query-too-long': {
    status: 408,
    message: 'query timed out after {seconds} s',
    hint: 'narrow the time range or filter earlier',
  },
  'query-waited-too-long': {
    status: 503,
    message: 'the query waited longer than {seconds} s for other queries or for the storage',
    hint: 'retry later, or run fewer queries at once',
  },
  'query-cancelled': { status: 409, message: 'query cancelled' },
  'query-too-large': {
    status: 400,
    message: 'the query would {problem}',
    hint: 'narrow the time range, filter earlier, or summarize',
  },
  internal: { status: 500, message: 'internal error; see the server log, trace id {traceId}' },
  'out-of-memory': {
    status: 413,
    message: 'the events of this request need more memory than one request may use; nothing was stored',
    hint: 'send them in several requests',
  },
  // These three abort a response that has begun: the code is in the log, and the client sees that
  // the end is missing.
  'dataset-deleted': {
    status: 409,
    message: 'a dataset was deleted while being read',
    hint: 'retry without the deleted dataset',
  },
  'reader-stalled': { status: 408, message: 'client stopped reading the response for {seconds} s' },
  'reader-too-slow': {
    status: 408,
    message: 'client read slower than {pace} bytes/s while other exports were queued',
    hint: 'read faster or export less at a time',
  },
  'no-row-in-time': {
    status: 408,
    message: 'export produced no rows for {seconds} s while others were queued',
    hint: 'narrow the export or retry when the server is less busy',
  },
  'disk-full': {
    status: 503,
    message: 'disk full: no events were stored',
    hint: "trim a dataset or free space on the server's disk; clients that retry lose nothing",
  },
  'disk-full-change': {
    status: 503,
    message: 'disk full: the change was not stored',
    hint: "trim a dataset or free space on the server's disk, then retry",
  },
  'disk-full-read': {
    status: 503,
    message: 'disk full: acknowledged events wait in the log and cannot be read yet',
    hint: "trim a dataset or free space on the server's disk; no acknowledged event is lost",
  },
  'disk-full-trim': {
    status: 503,
    message: 'disk full: events in the same files as newer ones were not deleted, because that rewrites the files',
    hint: "trim a little more, delete another dataset or free space on the server's disk",
  },
  'storage-unavailable': {
    status: 503,
    message: 'storage engine unavailable',
    hint: 'retry after the delay in Retry-After',
  },
  'cold-unavailable': {
    status: 503,
    message: 'events of {from} to {to} are in object storage, which does not respond',
    hint: 'query a time range after these days, or retry later',
  },
  'shard-unknown': {
    status: 503,
    message: 'the dataset is on shard {shard}, which this node does not use yet',
    hint: 'retry after the delay in Retry-After; if that does not help, restart the node with the addresses of all shards',
  },
  'files-damaged': {
    status: 503,
    message: 'stored events cannot be read: their files are damaged',
    hint: 'millrace verify names the damaged parts; put their files back or restore a backup',
  },
  'metadata-unavailable': {
    status: 503,
    message: 'metadata database unavailable',
    hint: 'retry after the delay in Retry-After',
  },
  'not-confirmed': {
    status: 503,
    message: 'insert not confirmed in time: the events may or may not be stored',
    hint: 'retry the same request within 10 minutes: its events are stored once',
  },
  'needs-a-log': {
    status: 501,
    message: '{what} is not available in multi-node mode',
    hint: 'docs/scaling.md explains the differences',
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

/** The only error type that reaches clients. Any other exception becomes `internal`. */
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

/** HTTP status of an error; a failed authentication uses the configured status. */
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
