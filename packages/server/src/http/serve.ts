import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Breath } from '../async/breath.js';
import { allowed, describeNeed, type Need, type Principal } from '../access/allowed.js';
import type { Authenticator } from '../access/authenticate.js';
import { partyOf } from '../access/identity.js';
import { authorizationOf } from '../access/token-places.js';
import { networkOf } from '../access/network-of.js';
import { limitHeaders, type RateAnswer, type RateLimit } from '../access/rate-limit.js';
import { subjectOf } from './recording/audit.js';
import { requestBounds } from '../bounds.js';
import { type ErrorCode, HttpError, httpError } from '../errors.js';
import type { Clock } from '../metadata/clock.js';
import type { Turns } from '../async/one-by-one.js';
import type { Settings } from '../settings/settings.js';
import type { ArrivingBodies } from './body/arriving-bodies.js';
import { compressed, compressedStream, isCompressed } from './compressed.js';
import { isMounted, requireConsole } from './console-mount.js';
import { readJson } from './body/json-body.js';
import { requireSpelling } from './validation/misspelt.js';
import type { KnownSenders } from './connections/known-senders.js';
import type { SenderTurns } from './connections/sender-turns.js';
import { onceCut } from './connections/once-cut.js';
import { paced } from './connections/paced.js';
import { ownNames } from './table/paths.js';
import { type Answer, type Call, namingOf, type Route, type RouteNeed } from './route.js';
import { senderOf } from './connections/sender.js';
import { sessionIn } from './session-cookie.js';
import { checkBody, checkTexts } from './validation/validate.js';

/**
 * The steps of a request, in order; each can end it with an error:
 *
 * 1. `identify` and `admit`, before the body is read: authentication (403, or 401 by setting) →
 *    rate limit (429) → rights (403) → HTTP/1.1 where the answer needs it (426) → room for the body
 *    (429, 503)
 * 2. Fastify reads the body (413, 400; 429, 503 when there is no room left for it)
 * 3. `answer`: validation against the schemas (400, 415) → the handler → the answer
 */
export interface Gate {
  readonly settings: Settings;
  readonly authenticator: Authenticator;
  readonly rightsChanges: Turns;
  readonly requests: RateLimit;
  readonly failedLogins: RateLimit;
  readonly clock: Clock;
  /** In which requests begin. */
  readonly turns: SenderTurns;
  readonly senders: KnownSenders;
  readonly arriving: ArrivingBodies;
}

export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What is noted about a request while it runs. */
export interface Notes {
  readonly route: Route | undefined;
  principal: Principal;
  failure?: Failure;
  /** The answer ended before it was complete, or its client left before it had begun. */
  cut?: true;
  /** Failures of single parts of a request that is nevertheless answered as a whole. */
  readonly partFailures: Failure[];
  subject?: string | undefined;
}

export const newNotes = (route: Route | undefined): Notes => ({
  route,
  principal: { kind: 'anonymous' },
  partFailures: [],
});

/** A request to a route, and where its answer goes. */
interface Exchange {
  readonly route: Route;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly notes: Notes;
}

/** Names and parameters of a path, as the router found them. */
type Parameters = Readonly<Record<string, string>>;

/**
 * Finds out who sends the request. Wrong tokens are counted per address, which never affects a
 * valid token from the same address.
 * @throws HttpError `unauthenticated`, `rate-limited` after too many wrong tokens
 */
export async function identify(gate: Gate, { route, request, reply }: Omit<Exchange, 'notes'>): Promise<Principal> {
  if (isMounted(request)) requireConsole(request, gate.settings);
  if (route.need.scope === 'public') return { kind: 'anonymous' };
  try {
    const principal = await principalOf(gate, route, request);
    gate.senders.note(request, callerOf(request, principal));
    return principal;
  } catch (error) {
    // Any other error is not the caller's fault and says nothing about the token.
    if (!(error instanceof HttpError && error.code === 'unauthenticated')) throw error;
    const left = gate.failedLogins.take(networkOf(request.ip));
    reply.headers({ ...limitHeaders('Rate', left), 'x-ratelimit-scope': 'anonymous' });
    throw left.allowed ? error : tooMany(gate, route, left);
  }
}

function principalOf({ authenticator }: Gate, route: Route, request: FastifyRequest): Promise<Principal> {
  const { authorization, cookie } = request.headers;
  if (route.signsIn === true) return authenticator.signIn(authorization);
  if (isMounted(request)) return authenticator.session(sessionIn(cookie, senderOf(request)) ?? '');
  return authenticator.authenticate(presented(route, request));
}

/** The token of a request, in the form of the header `Authorization`. */
const presented = ({ tokenIn = [] }: Route, { headers, query, params }: FastifyRequest): string | undefined =>
  authorizationOf(tokenIn, { headers, query: query as Parameters, params: params as Parameters });

/**
 * Sets the rate headers of the answer, and checks the rate, the rights, and the route's own
 * condition.
 * @throws HttpError if the request may not go on
 */
export function admit(gate: Gate, { route, request, reply, notes: { principal } }: Exchange): void {
  const rate = gate.requests.take(callerOf(request, principal));
  reply.headers({ ...limitHeaders('Rate', rate), 'x-ratelimit-scope': scopeOf(principal) });
  if (!rate.allowed) throw tooMany(gate, route, rate);
  requireRight(principal, concreteNeed(route.need, request));
  if (route.streams === true) requireChunks(request);
  if (route.admit !== undefined) gate.arriving.admit(holderOf(request, principal), route.admit);
}

const callerOf = (request: FastifyRequest, principal: Principal): string =>
  principal.kind === 'anonymous' ? `address ${networkOf(request.ip)}` : partyOf(principal);

/** Who has the memory that a body takes: a token, whatever sessions it has. */
export const holderOf = (request: FastifyRequest, principal: Principal): string =>
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
 * The need of a route for the dataset or view that its path or a header names. If the header is
 * missing, the request is refused when it is validated; until then the right must be held on some
 * dataset or view.
 */
function concreteNeed(need: RouteNeed, { params, headers }: FastifyRequest): Need {
  const naming = namingOf(need);
  if (naming === undefined) return need;
  const { param: _, header: __, ...right } = need as Extract<RouteNeed, { readonly param?: string }>;
  if (naming.in === 'path') return { ...right, name: (params as Parameters)[naming.name] ?? '' };
  const sent = headers[naming.name];
  const name = typeof sent === 'string' ? sent : sent?.at(-1);
  return name === undefined || name === '' ? right : { ...right, name };
}

function requireRight(principal: Principal, need: Need): void {
  if (!allowed(principal, need)) throw httpError('forbidden', { need: describeNeed(need) });
}

/**
 * Those who ask over HTTP/1.0 are proxies: for a long time it was nginx's default. A 426 should
 * name the protocol in `Upgrade`, but this one does not: nginx passes that header on, and clients
 * that speak HTTP/2 with it reject the whole answer because of it (curl exits with 92).
 */
function requireChunks({ raw: { httpVersionMajor, httpVersionMinor } }: FastifyRequest): void {
  if (httpVersionMajor > 1 || httpVersionMinor > 0) return;
  throw httpError('http-too-old', {}, { headers: { connection: 'close' } });
}

/** Validates an admitted request and has it handled. */
export async function answer(gate: Gate, exchange: Exchange): Promise<FastifyReply> {
  const { route, request, notes } = exchange;
  const handle = async (): Promise<{ readonly call: Call; readonly result: Answer }> => {
    // Reading a long body is long work, and so is most of what is done with it.
    const breath = isLong(exchange) ? new Breath() : undefined;
    if (breath !== undefined) await breath.take();
    const call = callOf(gate, exchange);
    if (route.request.body !== 'stream') notes.subject = subjectOf(call.body);
    if (breath !== undefined) await breath.take();
    return { call, result: await route.handle(call) };
  };
  const { call, result } =
    route.changesRights === true
      ? await gate.rightsChanges.run(async () => {
          // The caller may have lost rights while the body was on its way, and must not pass them
          // on now: what is given would outlast them.
          notes.principal = await principalOf(gate, route, request);
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

function callOf(gate: Gate, { route, request, reply, notes }: Exchange): Call {
  const { settings } = gate;
  const { params, query, headers, body } = route.request;
  if (route.refusesMisspelt === true && query !== undefined)
    requireSpelling(Object.keys(query.properties), Object.keys(request.query as Parameters));
  // Made only when asked for: it would be a tenth of the cost of a small request that does not need
  // it.
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
    get text() {
      return new TextDecoder().decode(bytesOf(request));
    },
    get principal() {
      return notes.principal;
    },
    get sender() {
      return senderOf(request);
    },
    traceId: request.id,
    log: request.log as Logger,
    get abort() {
      return (abort ??= abortOf(request, reply));
    },
    require: (need) => requireRight(notes.principal, need),
    may: (need) => allowed(notes.principal, need),
    renew: async () => {
      if (route.need.scope === 'public') return;
      notes.principal = await principalOf(gate, route, request);
      requireRight(notes.principal, concreteNeed(route.need, request));
    },
    holding: () => gate.arriving.begin(holderOf(request, notes.principal), route.admit),
    partFailed: ({ code, message }) => void notes.partFailures.push({ code, message }),
  };
}

const bytesOf = (request: FastifyRequest): Uint8Array => (request.body as Uint8Array | undefined) ?? new Uint8Array();

/**
 * The body as it comes. Who stops reading it answers nevertheless, so that is no reason to close
 * the connection.
 */
const streamOf = ({ body, raw }: FastifyRequest): AsyncIterable<Buffer> =>
  (body === undefined ? Readable.from([]) : raw).iterator({ destroyOnReturn: false });

function jsonOf(settings: Settings, { exactIntegers = false }: Route, request: FastifyRequest): unknown {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    throw httpError('unsupported-encoding', { encoding, supported: 'none but on ingest' });
  }
  const { maxJsonDepth: maxDepth, maxJsonValues: maxValues } = settings;
  const maxMembers = requestBounds.jsonMembers.most;
  return readJson(request.body as Uint8Array | undefined, { maxDepth, maxValues, maxMembers }, exactIntegers);
}

/** Aborted when the connection closes before the answer is complete. */
function abortOf(request: FastifyRequest, reply: FastifyReply): AbortController {
  const controller = new AbortController();
  onceCut(request, reply, () => controller.abort());
  return controller;
}

async function send(settings: Settings, { request, reply, notes }: Exchange, result: Answer): Promise<FastifyReply> {
  reply.code(result.status).headers(result.headers);
  if (result.kind === 'empty') return reply.send();
  const content = result.kind === 'bytes' ? result.content : (result.text ?? JSON.stringify(result.value));
  reply.type(result.kind === 'bytes' ? result.mediaType : 'application/json; charset=utf-8');
  const smaller = isCompressed(settings, request, result);
  if (typeof content === 'string' || content instanceof Uint8Array) {
    if (smaller && content.length >= settings.compressAnswersFrom)
      return markCompressed(reply).send(await compressed(content));
    return reply.send(
      typeof content === 'string' ? content : Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    );
  }
  const { stalledReaderTimeout } = settings;
  const chunks = paced(content, stalledReaderTimeout, () => {
    const { code, message } = httpError('reader-stalled', { seconds: stalledReaderTimeout / 1000 });
    notes.failure = { code, message };
    reply.raw.destroy();
  });
  const plain = Readable.from(chunks, { objectMode: false });
  const stream = smaller ? compressedStream(plain) : plain;
  // One that waits behind another answer on a closed connection would never be read to its end.
  onceCut(request, reply, () => stream.destroy());
  return (smaller ? markCompressed(reply) : reply).send(stream);
}

/** A length that is known is that of the plain answer, and a tag that of its bytes. */
function markCompressed(reply: FastifyReply): FastifyReply {
  const [vary, etag] = [reply.getHeader('vary'), reply.getHeader('etag')];
  reply.removeHeader('content-length').header('content-encoding', 'gzip');
  if (etag !== undefined) reply.header('etag', `W/${String(etag)}`);
  return reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
}
