import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Yielder } from '@millrace/runtime/async/yield';
import { isAllowed, describePermission, type RequiredPermission, type Principal } from './access/authorize.js';
import type { Authenticator } from './access/authenticate.js';
import { quotaKey } from './access/identity.js';
import { networkOf } from './access/client-network.js';
import { limitHeaders, type RateAnswer, type RateLimit } from './access/rate-limit.js';
import { subjectOf } from './recording/audit.js';
import { requestBounds } from '@millrace/api/limits';
import { type ErrorCode, HttpError, httpError } from '@millrace/api/errors';
import type { Clock } from '@millrace/metadata/clock';
import type { Lock } from '@millrace/runtime/async/mutex';
import type { Settings } from './settings/settings.js';
import type { InflightBodies } from './body/inflight-bodies.js';
import { compress, compressedStream, isCompressed } from './compression.js';
import { isMounted, requireConsole } from './console-mount.js';
import { readJson } from './body/json-body.js';
import { rejectMisspelledParameters } from './validation/unknown-parameters.js';
import type { ClientCache } from './connections/client-cache.js';
import type { FairRequestQueue } from './connections/fair-queue.js';
import { onDisconnect } from './connections/on-disconnect.js';
import { pace } from './connections/throttle.js';
import { ownNames } from './route-table/paths.js';
import {
  type Admission,
  type RouteResponse,
  type RequestContext,
  namingOf,
  type Route,
  type RouteNeed,
} from './route.js';
import { senderOf } from './connections/sender.js';
import { principalOf } from './principal-of.js';
import { checkBody, checkTexts } from './validation/validate.js';

/**
 * The steps of a request, in order; each can end it with an error:
 *
 * 1. `identify` and `admit`, before the body is read: authentication (403, or 401 by setting) →
 *    rate limit (429) → rights (403) → HTTP/1.1 if the response needs it (426) → capacity for the
 *    body (429, 503)
 * 2. Fastify reads the body (413, 400; 429, 503 without capacity for it)
 * 3. `answer`: validation against the schemas (400, 415) → the handler → the response
 */
export interface Gate {
  /** ID of the organization. */
  readonly orgId: string;
  readonly settings: Settings;
  readonly authenticator: Authenticator;
  readonly rightsChanges: Lock;
  readonly requests: RateLimit;
  readonly failedLogins: RateLimit;
  readonly clock: Clock;
  /** Fair queue of requests. */
  readonly requestQueue: FairRequestQueue;
  readonly senders: ClientCache;
  readonly arriving: InflightBodies;
}

/** What serves the requests of one organization. */
export interface Tenant {
  /** The complete table, in the same order for each organization. */
  readonly routes: readonly Route[];
  readonly gate: Gate;
  /** Records a request that is over. */
  readonly record: (request: FastifyRequest, reply: FastifyReply, notes: Notes, what?: 'audit') => void;
}

export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** State of a request while it runs. */
export interface Notes {
  readonly route: Route | undefined;
  /** The organization that the request is for; absent without a route. */
  readonly tenant?: Tenant | undefined;
  /** The organization of the token or session, if its person asks for another one. */
  readonly home?: Tenant | undefined;
  principal: Principal;
  failure?: Failure;
  /** The response was aborted, or the client disconnected before it started. */
  cut?: true;
  /** Failures of parts of a request that succeeds as a whole. */
  readonly partFailures: Failure[];
  /** Return where the time of each part of the request went, milliseconds by phase. */
  readonly timings: (() => Readonly<Record<string, number>>)[];
  subject?: string | undefined;
  /** The subject that the handler reported. */
  identified?: string | undefined;
  /** The organizations that a sign-in is for, the one of the session first. */
  admissions?: readonly Admission[] | undefined;
}

export const newNotes = (route: Route | undefined, tenant?: Tenant, home?: Tenant): Notes => ({
  route,
  tenant,
  home,
  principal: { kind: 'anonymous' },
  partFailures: [],
  timings: [],
});

/** A request to a route, with its reply. */
interface Exchange {
  readonly route: Route;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly notes: Notes;
}

/** Names and parameters of a path, as the router found them. */
type Parameters = Readonly<Record<string, string>>;

/**
 * Authenticates a request. Invalid tokens are counted per address, which never affects a valid
 * token from the same address.
 * @param problem why the token cannot be used at all
 * @throws HttpError `unauthenticated`, `rate-limited` after too many invalid tokens
 */
export async function authenticate(
  gate: Gate,
  { route, request, reply, notes: { home } }: Exchange,
  problem?: HttpError,
): Promise<Principal> {
  if (isMounted(request)) requireConsole(request, gate.settings);
  if (route.need.scope === 'public') return { kind: 'anonymous' };
  try {
    if (problem !== undefined) throw problem;
    const principal = await principalOf(gate, route, request, home);
    gate.senders.note(request, callerOf(request, principal));
    return principal;
  } catch (error) {
    // Other errors are not the caller's fault and prove nothing about the token.
    if (!(error instanceof HttpError && error.code === 'unauthenticated')) throw error;
    const left = gate.failedLogins.take(networkOf(request.ip));
    reply.headers({ ...limitHeaders('Rate', left), 'x-ratelimit-scope': 'anonymous' });
    throw left.allowed ? error : tooMany(gate, route, left);
  }
}

/**
 * Sets the rate-limit headers, and checks the rate limit, the rights, and the route's `admit`.
 * @throws HttpError if the request is rejected
 */
export function authorize(gate: Gate, { route, request, reply, notes: { principal } }: Exchange): void {
  const rate = gate.requests.take(callerOf(request, principal));
  reply.headers({ ...limitHeaders('Rate', rate), 'x-ratelimit-scope': scopeOf(principal) });
  if (!rate.allowed) throw tooMany(gate, route, rate);
  requireRight(principal, concreteNeed(route.need, request));
  requireName(route.need, request);
  if (route.streams === true) requireChunks(request);
  if (route.admit !== undefined) gate.arriving.admit(requestQuotaKey(request, principal), route.admit);
}

const callerOf = (request: FastifyRequest, principal: Principal): string =>
  principal.kind === 'anonymous' ? `address ${networkOf(request.ip)}` : quotaKey(principal);

/** Quota key for the memory of a body: a token, including all of its sessions. */
export const requestQuotaKey = (request: FastifyRequest, principal: Principal): string =>
  principal.kind === 'anonymous' ? callerOf(request, principal) : principal.tokenId;

function tooMany({ clock }: Gate, route: Route, rate: RateAnswer): Error {
  const family = route.limitFamily === undefined ? {} : limitHeaders(route.limitFamily, rate);
  const retryAfter = Math.max(1, Math.ceil(rate.reset - clock() / 1000));
  return httpError(
    'rate-limited',
    { limit: rate.limit },
    { headers: { ...family, 'retry-after': String(retryAfter) } },
  );
}

const scopeOf = (principal: Principal): string =>
  principal.kind === 'anonymous' ? 'anonymous' : principal.kind === 'personal-token' ? 'user' : 'organization';

/**
 * Right for the dataset or view that the path or a header names. If the header is missing,
 * validation rejects the request later; until then, the right on any dataset or view suffices.
 */
function concreteNeed(need: RouteNeed, { params, headers }: FastifyRequest): RequiredPermission {
  const naming = namingOf(need);
  if (naming === undefined) return need;
  const {
    param: _,
    header: __,
    preferred: ___,
    otherwise: ____,
    hint: _____,
    ...right
  } = need as Extract<RouteNeed, { readonly header?: string }>;
  if (naming.in === 'path') return { ...right, name: (params as Parameters)[naming.name] ?? '' };
  const sent = headers[naming.name];
  const name = typeof sent === 'string' ? sent : sent?.at(-1);
  return name === undefined || name === '' ? right : { ...right, name };
}

/**
 * Rejects a request without the header that names its dataset, if the route explains what to do;
 * otherwise validation does.
 */
function requireName(need: RouteNeed, { headers }: FastifyRequest): void {
  if (!('header' in need) || need.header === undefined || need.hint === undefined) return;
  if ((headers[need.header] ?? '') === '')
    throw httpError('invalid-request', { problem: `header '${need.header}' is missing or empty; ${need.hint}` });
}

function requireRight(principal: Principal, need: RequiredPermission): void {
  if (!isAllowed(principal, need)) throw httpError('forbidden', { need: describePermission(need) });
}

/**
 * Rejects HTTP/1.0, which has no chunked encoding. Such clients are proxies: it was nginx's default
 * for a long time. A 426 should name the protocol in `Upgrade`, but this one does not: nginx passes
 * that header on, and HTTP/2 clients reject the response because of it (curl exits with 92).
 */
function requireChunks({ raw: { httpVersionMajor, httpVersionMinor } }: FastifyRequest): void {
  if (httpVersionMajor > 1 || httpVersionMinor > 0) return;
  throw httpError('http-too-old', {}, { headers: { connection: 'close' } });
}

/** Validates an admitted request and has it handled. */
export async function answer(gate: Gate, exchange: Exchange): Promise<FastifyReply> {
  const { route, request, notes } = exchange;
  const handle = async (): Promise<{ readonly call: RequestContext; readonly result: RouteResponse }> => {
    // Parsing a long body takes long, and so does most processing of it.
    const yielder = isLong(exchange) ? new Yielder() : undefined;
    if (yielder !== undefined) await yielder.maybeYield();
    const call = callOf(gate, exchange);
    if (route.request.body !== 'stream') notes.subject = subjectOf(call.body);
    if (yielder !== undefined) await yielder.maybeYield();
    return { call, result: await route.handle(call) };
  };
  const { call, result } =
    route.changesRights === true
      ? await gate.rightsChanges.run(async () => {
          // Checks again: the caller may have lost rights while the body arrived, and must not
          // grant them now, because grants outlast them.
          notes.principal = await principalOf(gate, route, request, notes.home);
          requireRight(notes.principal, concreteNeed(route.need, request));
          return handle();
        })
      : await handle();
  if (result.kind === 'json') notes.subject = subjectOf(call.body, result.value);
  return send(gate.settings, exchange, result);
}

/** Bytes of JSON that take about a millisecond. */
const longJson = 64 * 1024;

const isLong = ({ route: { request: described }, request }: Exchange): boolean =>
  typeof described.body === 'object' && ((request.body as Uint8Array | undefined)?.byteLength ?? 0) >= longJson;

function callOf(gate: Gate, { route, request, reply, notes }: Exchange): RequestContext {
  const { settings } = gate;
  const { params, query, headers, body } = route.request;
  if (route.refusesMisspelt === true && query !== undefined)
    rejectMisspelledParameters(Object.keys(query.properties), Object.keys(request.query as Parameters));
  // Created on first use: it is a tenth of the cost of a small request.
  let abort: AbortController | undefined;
  return {
    params:
      params === undefined
        ? {}
        : (checkTexts(params, ownNames(route.path, request.params as Parameters), 'path parameter') as object),
    query: query === undefined ? {} : (checkTexts(query, request.query as Parameters, 'query parameter') as object),
    headers: headers === undefined ? {} : (checkTexts(headers, request.headers, 'header') as object),
    body:
      body === undefined
        ? undefined
        : body === 'bytes'
          ? bytesOf(request)
          : body === 'stream'
            ? streamOf(request)
            : checkBody(body, jsonOf(settings, route, request), route.mismatch),
    text: () => new TextDecoder().decode(bytesOf(request)),
    get principal() {
      return notes.principal;
    },
    get sender() {
      return senderOf(request, gate);
    },
    get connection() {
      const { raw, headers: sent } = request;
      const given = Object.entries(sent).map(
        ([name, value]) => [name, value === undefined ? [] : [value].flat()] as const,
      );
      return {
        peer: raw.socket.remoteAddress ?? '',
        // A request that tests make without a socket does not have them one by one.
        headers: (raw.headersDistinct as typeof raw.headersDistinct | undefined) ?? Object.fromEntries(given),
      };
    },
    traceId: request.id,
    log: request.log as Logger,
    get abort() {
      return (abort ??= abortOf(request, reply));
    },
    require: (need) => requireRight(notes.principal, need),
    may: (need) => isAllowed(notes.principal, need),
    renew: async () => {
      if (route.need.scope === 'public') return;
      notes.principal = await principalOf(gate, route, request, notes.home);
      requireRight(notes.principal, concreteNeed(route.need, request));
    },
    holding: () => gate.arriving.begin(requestQuotaKey(request, notes.principal), route.admit),
    timed: (spent) => void notes.timings.push(spent),
    identified: (principal, subject, admissions) => {
      notes.principal = principal;
      notes.identified = subject;
      notes.admissions = admissions;
    },
    partFailed: ({ code, message }) => void notes.partFailures.push({ code, message }),
  };
}

const bytesOf = (request: FastifyRequest): Uint8Array => (request.body as Uint8Array | undefined) ?? new Uint8Array();

/**
 * The body as a stream. A reader that stops early still sends a response, so the connection is not
 * destroyed.
 */
const streamOf = ({ body, raw }: FastifyRequest): AsyncIterable<Buffer> =>
  (body === undefined ? Readable.from([]) : raw).iterator({ destroyOnReturn: false });

function jsonOf(settings: Settings, { exactIntegers = false }: Route, request: FastifyRequest): unknown {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    throw httpError('unsupported-encoding', { encoding, supported: 'none but on ingest' });
  }
  const { maxJsonDepth: maxDepth, maxJsonValues: maxValues } = settings;
  const maxMembers = requestBounds.jsonMembers.max;
  return readJson(request.body as Uint8Array | undefined, { maxDepth, maxValues, maxMembers }, exactIntegers);
}

/** Aborted when the connection closes before the response is complete. */
function abortOf(request: FastifyRequest, reply: FastifyReply): AbortController {
  const controller = new AbortController();
  onDisconnect(request, reply, () => controller.abort());
  return controller;
}

async function send(
  settings: Settings,
  { request, reply, notes }: Exchange,
  result: RouteResponse,
): Promise<FastifyReply> {
  reply.code(result.status).headers(result.headers);
  if (result.kind === 'empty') return reply.send();
  const content = result.kind === 'bytes' ? result.content : (result.text ?? JSON.stringify(result.value));
  reply.type(result.kind === 'bytes' ? result.mediaType : 'application/json; charset=utf-8');
  const smaller = isCompressed(settings, request, result);
  if (typeof content === 'string' || content instanceof Uint8Array) {
    if (smaller && content.length >= settings.compressAnswersFrom)
      return markCompressed(reply).send(await compress(content));
    return reply.send(
      typeof content === 'string' ? content : Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    );
  }
  const { stalledReaderTimeout } = settings;
  const chunks = pace(content, stalledReaderTimeout, () => {
    const { code, message } = httpError('reader-stalled', { seconds: stalledReaderTimeout / 1000 });
    notes.failure = { code, message };
    reply.raw.destroy();
  });
  const plain = Readable.from(chunks, { objectMode: false });
  const stream = smaller ? compressedStream(plain) : plain;
  // A stream queued behind another response on a closed connection would never be read to its end.
  onDisconnect(request, reply, () => stream.destroy());
  return (smaller ? markCompressed(reply) : reply).send(stream);
}

/**
 * Sets the headers of a compressed response: drops the length and weakens the ETag, which belong to
 * the uncompressed bytes.
 */
function markCompressed(reply: FastifyReply): FastifyReply {
  const [vary, etag] = [reply.getHeader('vary'), reply.getHeader('etag')];
  reply.removeHeader('content-length').header('content-encoding', 'gzip');
  if (etag !== undefined) reply.header('etag', `W/${String(etag)}`);
  return reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
}
