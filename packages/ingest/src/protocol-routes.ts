import { createHash } from 'node:crypto';
import * as zlib from 'node:zlib';
import { Type } from 'typebox';
import { soleDataset } from '@millrace/http/access/default-dataset';
import { httpError } from '@millrace/api/errors';
import { parameterNames } from '@millrace/http/route-table/paths';
import {
  type RouteResponse,
  type RequestContext,
  type Method,
  type RequestShape,
  type Route,
  route,
} from '@millrace/http/route';
import type { SentOptions } from './encode-body.js';
import { ingestInto } from './ingest-into.js';
import { statusOfAll } from './response.js';
import type { IngestReply } from './ingest-reply.js';
import { type IngestRequest, dryRun } from './ingest.js';
import { requireRoom } from './assert-capacity.js';
import { isGzip } from './content-sniffing.js';
import { storeParts } from './store-batches.js';
import { decodedStream, storeStream } from './store-stream.js';
import type { Endpoint, EventsEndpoint, Protocol, ParsedRequest, ShipperRequest, StreamEndpoint } from './protocol.js';
import { type ProtocolName, protocols } from './protocols.js';
import { ingestErrors, type IngestRouteDependencies, noteFailed, receipt, senderOf } from './routes.js';

/** The routes of all protocols, derived from their definitions. */

export const protocolRoutes = (deps: IngestRouteDependencies): readonly Route[] =>
  (Object.keys(protocols) as readonly ProtocolName[]).flatMap((name) =>
    protocols[name].endpoints.flatMap((endpoint) =>
      endpoint.methods.map((method) => protocolRoute(name, endpoint, method, deps)),
    ),
  );

const texts = (names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.String())])));

function protocolRoute(name: ProtocolName, endpoint: Endpoint, method: Method, deps: IngestRouteDependencies): Route {
  const protocol: Protocol = protocols[name];
  const { path, query = [], headers = [] } = endpoint;
  const takesEvents = endpoint.kind !== 'handshake';
  const names = parameterNames(path);
  const request: RequestShape = {
    params: Type.Object(Object.fromEntries(names.map((each) => [each, Type.String()]))),
    query: texts(query),
    headers: texts([...headers, 'content-type', 'content-encoding']),
    ...(method !== 'GET' && method !== 'OPTIONS' && { body: bodyOf(endpoint) }),
  };
  return route({
    method,
    path,
    operation: `${name} ${method} ${path}`,
    tag: protocol.title,
    shipper: true,
    ...(endpoint.secretPath === true && { secretPath: true }),
    summary: takesEvents ? 'Send events' : 'Checked by clients before they send events',
    need:
      endpoint.kind === 'handshake' && endpoint.open === true
        ? { scope: 'public' }
        : {
            scope: 'dataset',
            ...(names.includes('dataset') && { param: 'dataset' }),
            resource: 'ingest',
            action: 'create',
          },
    tokenIn: protocol.tokenIn,
    ...(protocol.badToken !== undefined && { badTokenStatus: protocol.badToken.status }),
    errorForm: protocol.errorForm,
    request,
    responses: {},
    errors: takesEvents
      ? [
          'ingest-dataset-not-named',
          'events-too-large',
          'too-many-actions',
          'too-many-datasets',
          'too-many-failures',
          'key-reused',
          ...ingestErrors,
        ]
      : [],
    maxBodyBytes: deps.maxBodyBytes,
    limitFamily: 'Ingest',
    ...(takesEvents && { admit: (others) => requireRoom(others, deps) }),
    handle(call) {
      switch (endpoint.kind) {
        case 'events':
          return store(name, endpoint, requestOf(call), call, deps);
        case 'stream':
          return stream(name, endpoint, call, deps);
        case 'handshake':
          return endpoint.answer(requestOf(call), deps.settings);
      }
    },
  });
}

const bodyOf = ({ kind }: Endpoint) => (kind === 'stream' ? ('stream' as const) : ('bytes' as const));

/** Maximum bytes of a body to search for the dataset of its events. */
const beginningBytes = 64 * 1024;
/**
 * Compressed bytes to decompress for that. Less, because it blocks the event loop, and compressed
 * data may expand a thousandfold.
 */
const packedBytes = 16 * 1024;
const unpackedBytes = 1024 * 1024;
/** This becomes no more than that. */
const densestBytes = 1000;

/** Common form of the requests: strings, and optionally bytes. */
function requestOf(call: RequestContext): ShipperRequest {
  const { params, query, headers, body = new Uint8Array() } = call as unknown as Partial<ShipperRequest>;
  return { params: params ?? {}, query: query ?? {}, headers: headers ?? {}, body, beginning: () => beginningOf(body) };
}

function beginningOf(body: Uint8Array): Buffer {
  const start = (bytes: number) => Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, bytes));
  if (!isGzip(body)) return start(beginningBytes);
  return unpackStart(start(packedBytes)) ?? unpackStart(start(densestBytes)) ?? Buffer.alloc(0);
}

/**
 * Decompresses the start of a body. Undefined if it is too long or not gzip: parsing reports the
 * error later.
 */
function unpackStart(start: Buffer): Buffer | undefined {
  try {
    return zlib.gunzipSync(start, { finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength: unpackedBytes });
  } catch {
    return undefined;
  }
}

async function store(
  name: ProtocolName,
  endpoint: EventsEndpoint,
  request: ShipperRequest,
  call: RequestContext,
  deps: IngestRouteDependencies,
): Promise<RouteResponse> {
  const reading = endpoint.read(request, deps.settings);
  if ('answer' in reading) return reading.answer;
  const dataset = request.params['dataset'] ?? reading.dataset ?? soleDataset(call.principal);
  if (dataset === undefined) throw httpError('ingest-dataset-not-named', {});
  const { requestId } = reading;
  const key = requestId === undefined || requestId === '' ? {} : { idempotencyKey: `${name} ${requestId}` };
  const sender = senderOf(call.principal, call.abort);
  const sent = { body: request.body, sender, formats: [name], options: optionsOf(request, reading), ...key };
  const into = async (dataset: string, sent: Omit<IngestRequest, 'dataset'>): Promise<IngestReply> => {
    call.require({ scope: 'dataset', name: dataset, resource: 'ingest', action: 'create' });
    const { kind }: Protocol = protocols[name];
    const creator = { principal: call.principal, may: call.may, ...(kind !== undefined && { kind }) };
    const reply = await ingestInto(dataset, creator, sent, deps);
    deps.answered(reply, name);
    warnOfLoss(name, dataset, reply, call);
    noteFailed(reply, call);
    return reply;
  };
  const parts =
    reading.several === true
      ? await storeParts(dataset, sent, into, (part) =>
          dryRun({ ...part, dataset: { name: dataset, stored: deps.storage.draft(), mapFields: new Set() } }, deps),
        )
      : [{ dataset, reply: await into(dataset, sent) }];
  const replies = parts.flatMap((part) => ('reply' in part ? [part.reply] : []));
  const [reply] = replies;
  const status = statusOfAll(replies.map(({ status }) => status));
  const answer = endpoint.answer({ status, items: reply!.items, parts, request });
  return { ...answer, headers: { ...receipt(reply!), ...answer.headers } };
}

/**
 * Stores a stream in parts. A part that is repeated, because its acknowledgment was lost, is stored
 * once.
 */
async function stream(
  name: ProtocolName,
  endpoint: StreamEndpoint,
  call: RequestContext,
  deps: IngestRouteDependencies,
): Promise<RouteResponse> {
  const { params, headers, body } = call as unknown as StreamCall;
  const { dataset = soleDataset(call.principal) } = params;
  if (dataset === undefined) throw httpError('ingest-dataset-not-named', {});
  const pieces = decodedStream(body, headers['content-encoding']);
  let last: IngestReply | undefined;
  const holding = call.holding();
  const stored = storeStream(
    pieces,
    endpoint,
    { max: deps.maxBodyBytes, holding, signal: call.abort.signal },
    async (part) => {
      // The sender may have lost its rights since the stream began.
      await call.renew();
      call.require({ scope: 'dataset', name: dataset, resource: 'ingest', action: 'create' });
      const sender = senderOf(call.principal, call.abort);
      requireRoom({ party: sender.token, all: 0, own: 0 }, deps);
      const idempotencyKey = `${name} ${createHash('sha256').update(part).digest('base64url')}`;
      const sent = { body: part, sender, formats: [name], options: { contentType: '' }, idempotencyKey };
      last = await ingestInto(dataset, call, sent, deps);
      deps.answered(last, name);
      warnOfLoss(name, dataset, last, call);
    },
  );
  await stored.finally(() => holding.end());
  const answer = endpoint.answer();
  return { ...answer, headers: { ...(last !== undefined && receipt(last)), ...answer.headers } };
}

interface StreamCall {
  readonly params: { readonly dataset?: string };
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: AsyncIterable<Buffer>;
}

function optionsOf({ headers, body }: ShipperRequest, { options = {}, labels = {} }: ParsedRequest): SentOptions {
  const encoding = headers['content-encoding'] ?? '';
  const given = Object.entries(labels).filter(([, value]) => value !== undefined && value !== '');
  return {
    contentType: headers['content-type'] ?? '',
    // Many of these programs compress without saying so.
    ...(encoding !== '' ? { contentEncoding: encoding } : isGzip(body) && { contentEncoding: 'gzip' }),
    ...(given.length > 0 && { labels: Buffer.from(JSON.stringify(Object.fromEntries(given))).toString('latin1') }),
    ...options,
  };
}

/**
 * A response that lists the outcome of each event informs the sender; otherwise only the log can.
 */
function warnOfLoss(
  protocol: ProtocolName,
  dataset: string,
  { status, items, repeated }: IngestReply,
  call: RequestContext,
): void {
  if (status.failed === 0 || items !== undefined || repeated) return;
  const { failed, failures } = status;
  call.log.warn(
    { protocol, dataset, failed, first: failures[0]?.error },
    'events could not be stored, and the protocol has no word for it',
  );
}
