import type { ServerOptions } from 'node:http';
import { fastify, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../metadata/clock.js';
import type { Metadata } from '../metadata/metadata.js';
import type { Metrics } from '../metrics.js';
import type { Settings } from '../settings/settings.js';
import { CutAnswers, isClosed } from './connections/cut-answers.js';
import { SenderTurns } from './connections/sender-turns.js';
import type { TlsFiles } from './connections/tls.js';
import type { ErrorTranslator } from './errors/error-answers.js';
import type { Refusals } from './errors/refusals.js';
import type { AuditSink } from './recording/audit.js';
import type { RefusedIngest } from './recording/refused-ingest.js';
import type { Records } from './recording/recorded-once.js';
import { newTraceId } from './recording/trace-id.js';
import type { RequestNotes } from './request-notes.js';
import type { Route } from './route.js';
import type { Gate } from './serve.js';
import { presentUrl } from './table/paths.js';

/** What the HTTP server is made of, and how Fastify is set up for it. */

export interface AppOptions {
  readonly settings: Settings;
  readonly metadata: Metadata;
  /** The whole table. */
  readonly routes: readonly Route[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly audit?: AuditSink;
  /** Notes what is refused of events. */
  readonly refused?: RefusedIngest;
  /** Knows the errors of the storage, the log and the engine. */
  readonly translate?: ErrorTranslator;
  readonly clock?: Clock;
  readonly tls?: TlsFiles;
  /** How many processes share the limits on requests; one by default. */
  readonly sharing?: () => number;
}

/** What requests have in common. */
export interface Exchanges {
  readonly notes: RequestNotes;
  readonly gate: Gate;
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly refusals: Refusals;
  readonly records: Records;
}

/** Fastify, set up and without a route. */
export function newFastify(
  { settings, logger, metrics, tls }: AppOptions,
  { notes: noted, refusals, records }: Exchanges,
): FastifyInstance {
  // Thousands of connections that break at once are not answered in one go.
  const broken = new SenderTurns();
  const http: ServerOptions = {
    maxHeaderSize: settings.maxHeaderBytes,
    // Unfinished headers are not worth waiting for as long as a body.
    headersTimeout: Math.min(60_000, settings.requestTimeout),
    connectionsCheckingInterval: 1000,
    // Checked below, where the answer can have the shape of every other error.
    requireHostHeader: false,
  };
  return fastify({
    loggerInstance: logger,
    logController: new CutAnswers((error, request, reply) => {
      const notes = noted.of(request);
      if (!isClosed(error)) refusals.note(error, request);
      // A stalled reader is noted without being counted; other failures were counted when they were
      // noted.
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
    // Requests are validated by their records; compilers that nobody uses would be a tenth of the
    // time a start takes.
    schemaController: { compilersFactory: { buildValidator: () => noCompiler, buildSerializer: () => noCompiler } },
    routerOptions: { maxParamLength: settings.maxUrlBytes, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => void refusals.answer(error, request, reply),
    clientErrorHandler: (error, socket) =>
      broken.add(
        () => `address ${socket.remoteAddress}`,
        () => refusals.answerConnection(error, socket),
      ),
    ...(tls === undefined ? { http } : { https: { ...http, ...tls } }),
  }) as unknown as FastifyInstance;
}

/** Takes the place of Fastify's compilers of schemas; no route gives Fastify a schema. */
function noCompiler(): never {
  throw new Error('a route has a schema for Fastify');
}
