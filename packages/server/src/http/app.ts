import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from 'pino';
import { Authenticator } from '../access/authenticate.js';
import { RateLimit } from '../access/rate-limit.js';
import type { AuditSink } from './recording/audit.js';
import { type HttpError, httpError } from '../errors.js';
import type { Clock } from '../metadata/clock.js';
import type { Metadata } from '../metadata/metadata.js';
import type { Metrics } from '../metrics.js';
import type { ErrorTranslator } from './errors/error-answers.js';
import { ArrivingBodies } from './body/arriving-bodies.js';
import { bodyLimitOf } from './body/body-limit.js';
import { isMounted } from './console-mount.js';
import { CutAnswers, isClosed } from './connections/cut-answers.js';
import { meantContentType } from './body/media-type.js';
import { notServedAt } from './table/not-served.js';
import {
  checkTable,
  errorFormBelow,
  methodsOf,
  misledMethods,
  prefixBefore,
  presentUrl,
  routerPath,
} from './table/paths.js';
import { readBody } from './body/read-body.js';
import { pathOf, requestRecorder } from './recording/request-record.js';
import { Records } from './recording/recorded-once.js';
import { Refusals } from './errors/refusals.js';
import type { Route } from './route.js';
import { applyCors, securityHeaders } from './security.js';
import { admit, answer, type Notes, type Gate, identify, newNotes } from './serve.js';
import { type Settings, sessionLimits } from '../settings/settings.js';
import type { TlsFiles } from './connections/tls.js';
import { newTraceId } from './recording/trace-id.js';

interface AppOptions {
  readonly settings: Settings;
  readonly metadata: Metadata;
  /** The whole table. */
  readonly routes: readonly Route[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly audit?: AuditSink;
  /** Knows the errors of the storage, the log and the engine. */
  readonly translate?: ErrorTranslator;
  readonly clock?: Clock;
  readonly tls?: TlsFiles;
}

/**
 * Makes the HTTP server from the table of routes. It is not listening yet; tests talk to it with `inject`.
 * @throws Error when the table contradicts itself
 */
export function buildApp(options: AppOptions): FastifyInstance {
  const { settings, metadata, routes, logger, metrics, audit, translate, clock = Date.now } = options;
  checkTable(routes);
  const noted = new WeakMap<FastifyRequest, Notes>();
  const notesOf = (request: FastifyRequest): Notes => {
    const notes = noted.get(request) ?? newNotes(undefined);
    noted.set(request, notes);
    return notes;
  };
  const gate: Gate = {
    settings,
    authenticator: new Authenticator(metadata, sessionLimits(settings), clock),
    rightsChanges: metadata.rightsChanges,
    requests: new RateLimit(settings.requestsPerMinute, clock),
    failedLogins: new RateLimit(settings.failedLoginsPerMinute, clock),
    clock,
    arriving: new ArrivingBodies(),
  };
  const fixedHeaders = securityHeaders(settings);
  const formAt = (path: string) => errorFormBelow(routes, path);
  const refusals = new Refusals({ settings, metrics, translate, headers: fixedHeaders, notesOf, formAt });
  let closing = false;

  const record = requestRecorder({ metrics, audit, clock });
  const records = new Records((request, reply, cut) => {
    const notes = notesOf(request);
    if (cut) notes.cut = true;
    record(request, reply, notes);
  });

  const http: ServerOptions = {
    maxHeaderSize: settings.maxHeaderBytes,
    // Unfinished headers are not worth waiting for as long as a body.
    headersTimeout: Math.min(60_000, settings.requestTimeout),
    connectionsCheckingInterval: 1000,
    // Checked below, where the answer can have the shape of every other error.
    requireHostHeader: false,
  };
  const app = fastify({
    loggerInstance: logger,
    logController: new CutAnswers((error, request, reply) => {
      const notes = notesOf(request);
      if (!isClosed(error)) refusals.note(error, request);
      // A stalled reader is noted without being counted; other failures were counted when they were noted.
      else if (notes.failure?.code === 'reader-stalled')
        metrics.count('http_refusals_total', 1, { code: notes.failure.code });
      records.cut(request, reply);
    }),
    genReqId: newTraceId,
    rewriteUrl: ({ url = '' }) => presentUrl(url),
    requestTimeout: settings.requestTimeout,
    trustProxy: settings.trustedProxies.length > 0 && [...settings.trustedProxies],
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Requests are validated by their records; compilers that nobody uses would be a tenth of the time a start takes.
    schemaController: { compilersFactory: { buildValidator: () => noCompiler, buildSerializer: () => noCompiler } },
    routerOptions: { maxParamLength: settings.maxUrlBytes, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => void refusals.answer(error, request, reply),
    clientErrorHandler: (error, socket) => refusals.answerConnection(error, socket),
    ...(options.tls === undefined ? { http } : { https: { ...http, ...options.tls } }),
  }) as unknown as FastifyInstance;

  // Without a listener Node answers in a form of its own. What it takes for an expectation it knows never gets here.
  const expecting = new WeakSet<IncomingMessage>();
  app.server.on('checkExpectation', (message: IncomingMessage, response: ServerResponse) => {
    expecting.add(message);
    app.server.emit('request', message, response);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, stream: IncomingMessage) => {
    const { route } = notesOf(request);
    const limit = bodyLimitOf(route, settings);
    const body = await readBody(stream, announcedLength(request), limit, gate.arriving.begin(route?.admit));
    refusals.requireInTime(request.raw.socket);
    return body;
  });
  app.setErrorHandler((error, request, reply) => refusals.answer(error, request, reply));
  const refuseMethod = (request: FastifyRequest): never => {
    const path = pathOf(request);
    const allowed = methodsOf(routes, path);
    if (allowed.length === 0) throw noRoute(routes, request.method, path);
    throw httpError(
      'method-not-allowed',
      { method: request.method, path, allowed: allowed.join(', ') },
      { headers: { allow: allowed.join(', ') } },
    );
  };
  app.setNotFoundHandler(refuseMethod);
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...fixedHeaders, 'x-axiom-trace-id': request.id });
    refusals.requireInTime(request.raw.socket);
    if (closing) throw httpError('shutting-down', {}, { headers: { connection: 'close', 'retry-after': '5' } });
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw httpError('bad-http', { problem: 'it has no Host header' }, { headers: { connection: 'close' } });
    }
    // A proxy in front may have gone by the other one.
    if (hostsOf(request).length > 1)
      throw httpError('bad-http', { problem: 'it has several Host headers' }, { headers: { connection: 'close' } });
    if (expecting.has(request.raw)) {
      const { expect = '' } = request.headers;
      throw httpError('expectation-failed', { expectation: expect }, { headers: { connection: 'close' } });
    }
    if (Buffer.byteLength(request.raw.url ?? '') > settings.maxUrlBytes)
      throw httpError('url-too-long', { limit: settings.maxUrlBytes });
    // Below the mount of the console no other origin has any business, whatever the settings allow elsewhere.
    if (!isMounted(request) && applyCors(settings, request, reply)) return void reply.code(204).send();
    // Before the body is read: however long it is, the answer is the same, and Fastify has demands of its own on the bodies of some methods.
    if (request.is404) refuseMethod(request);
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // So that its client does not send the next request on a connection that is about to be closed.
    if (closing) reply.header('connection', 'close');
    records.made(request, reply);
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    records.sent(request, reply);
    done();
  });
  for (const route of routes) {
    app.route({
      method: route.method,
      url: routerPath(route.path),
      exposeHeadRoute: route.refusesHead !== true,
      onRequest: async (request, reply) => {
        const notes = newNotes(route);
        const exchange = { route, request, reply, notes };
        noted.set(request, notes);
        // Clients send options they do not use as empty texts, and names of formats as types; Fastify would take both for malformed types.
        const contentType = meantContentType(request.headers['content-type'] ?? '');
        if (contentType === undefined) delete request.headers['content-type'];
        else request.headers['content-type'] = contentType;
        notes.principal = await identify(gate, exchange);
        admit(gate, exchange);
      },
      handler: (request, reply) => answer(gate, { route, request, reply, notes: notesOf(request) }),
    });
  }
  for (const { path, methods } of misledMethods(routes)) {
    app.route({
      method: [...methods],
      url: routerPath(path),
      exposeHeadRoute: false,
      onRequest: async (request) => refuseMethod(request),
      handler: refuseMethod,
    });
  }
  return app;
}

function noRoute(routes: readonly Route[], method: string, path: string): HttpError {
  const known = notServedAt(path);
  if (known !== undefined)
    return httpError('route-not-served', { method, path, what: known.what, instead: known.instead });
  const prefix = prefixBefore(routes, path);
  if (prefix === undefined) return httpError('route-not-found', { method, path });
  return httpError('route-behind-prefix', { method, path, prefix, route: path.slice(prefix.length) });
}

/** Takes the place of Fastify's compilers of schemas; no route gives Fastify a schema. */
function noCompiler(): never {
  throw new Error('a route has a schema for Fastify');
}

/** Every Host header. A request that tests make without a socket does not have them one by one. */
const hostsOf = ({ raw }: FastifyRequest): readonly string[] =>
  (raw.headersDistinct as typeof raw.headersDistinct | undefined)?.host ?? [];

/** What Content-Length says; Node has refused what is no number. */
function announcedLength({ headers }: FastifyRequest): number | undefined {
  const text = headers['content-length'];
  return text === undefined ? undefined : Number(text);
}
