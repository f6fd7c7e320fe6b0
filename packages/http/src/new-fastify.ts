import type { ServerOptions } from 'node:http';
import { fastify, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '@millrace/metadata/clock';
import type { Metadata } from '@millrace/metadata/metadata';
import type { Metrics } from './metrics.js';
import type { Settings } from './settings/settings.js';
import { AbortedResponses, isClosed } from './connections/aborted-responses.js';
import { FairRequestQueue } from './connections/fair-queue.js';
import type { TlsFiles } from './connections/tls.js';
import type { ErrorTranslator } from './errors/error-responses.js';
import type { RejectionCounter } from './errors/rejections.js';
import type { AuditSink } from './recording/audit.js';
import type { RefusedIngest } from './recording/rejected-ingest.js';
import type { RequestLog } from './recording/request-log.js';
import { newTraceId } from './recording/trace-id.js';
import type { RequestNotes } from './request-notes.js';
import type { Route } from './route.js';
import type { Tenancy } from './choose-tenant.js';
import type { Gate, Tenant } from './serve.js';
import { presentUrl } from './route-table/paths.js';

/** Parts of the HTTP server, and its Fastify configuration. */

export interface AppOptions {
  readonly settings: Settings;
  readonly metadata: Metadata;
  /** ID of the organization. Default: that of a server in a test. */
  readonly orgId?: string;
  /** The complete route table. */
  readonly routes: readonly Route[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly audit?: AuditSink;
  /** Records rejected events. */
  readonly refused?: RefusedIngest;
  /** Knows the errors of the storage, the log and the engine. */
  readonly translate?: ErrorTranslator;
  readonly clock?: Clock;
  readonly tls?: TlsFiles;
  /** The other organizations of the server. */
  readonly tenancy?: Tenancy;
  /** Number of processes that share the request limits. Default: 1. */
  readonly sharing?: () => number;
}

/** State that requests share. */
export interface Exchanges {
  readonly notes: RequestNotes;
  readonly gate: Gate;
  /** The first organization. */
  readonly primary: Tenant;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly refusals: RejectionCounter;
  readonly records: RequestLog;
}

/** Fastify, set up and without a route. */
export function newFastify(
  { settings, logger, metrics, tls }: AppOptions,
  { notes: noted, refusals, records }: Exchanges,
): FastifyInstance {
  // Queued: thousands of connections that break at once would block the event loop.
  const broken = new FairRequestQueue();
  const http: ServerOptions = {
    maxHeaderSize: settings.maxHeaderBytes,
    // Headers must arrive faster than a body.
    headersTimeout: Math.min(60_000, settings.requestTimeout),
    connectionsCheckingInterval: 1000,
    // Checked below, where the response has the standard error format.
    requireHostHeader: false,
  };
  return fastify({
    loggerInstance: logger,
    logController: new AbortedResponses((error, request, reply) => {
      const notes = noted.of(request);
      if (!isClosed(error)) refusals.note(error, request);
      // A stalled reader was recorded without being counted; other failures were counted when
      // recorded.
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
    // Route records validate requests; building Fastify's unused compilers would take a tenth of
    // the startup time.
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

/** Replaces Fastify's schema compilers; no route passes a schema to Fastify. */
function noCompiler(): never {
  throw new Error('a route has a schema for Fastify');
}
