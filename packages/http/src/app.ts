import type { FastifyInstance } from 'fastify';
import { Authenticator } from './access/authenticate.js';
import { RateLimit } from './access/rate-limit.js';
import { sessionLimits } from './settings/settings.js';
import { addHooks } from './hooks.js';
import { type AppOptions, type Exchanges, newFastify } from './new-fastify.js';
import type { TenantOptions } from './choose-tenant.js';
import { recordAdmissions } from './recording/record-admissions.js';
import { ClientCache } from './connections/client-cache.js';
import { FairRequestQueue } from './connections/fair-queue.js';
import { InflightBodies } from './body/inflight-bodies.js';
import { RejectionCounter } from './errors/rejections.js';
import { mount } from './mount-routes.js';
import { RequestLog } from './recording/request-log.js';
import { requestRecorder } from './recording/request-record.js';
import { securityHeaders } from './security.js';
import type { Gate, Tenant } from './serve.js';
import { RequestNotes } from './request-notes.js';
import { checkTable, errorFormBelow } from './route-table/paths.js';

/**
 * Creates the HTTP server from the route table. It does not listen yet; tests use `inject`.
 * @throws Error when the table is inconsistent
 */
export function buildApp(options: AppOptions): FastifyInstance {
  checkTable(options.routes);
  const exchanges = exchangesOf(options);
  options.tenancy?.serveWith((tenant) => tenantOver(exchanges.gate, tenant));
  const app = newFastify(options, exchanges);
  addHooks(app, options, exchanges);
  mount(app, options, exchanges);
  return app;
}

/** Puts a further organization behind the limits of connections and addresses of the server. */
function tenantOver(
  gate: Gate,
  { settings, metadata, routes, metrics, audit, refused, clock = Date.now }: TenantOptions,
): Tenant {
  return {
    routes,
    gate: {
      ...gate,
      settings,
      authenticator: new Authenticator(metadata, sessionLimits(settings), clock),
      rightsChanges: metadata.rightsChanges,
    },
    record: requestRecorder({ metrics, audit, clock, refused, routes }),
  };
}

/** Creates the state that requests share. */
function exchangesOf({
  settings,
  metadata,
  routes,
  metrics,
  audit,
  refused,
  translate,
  clock = Date.now,
  orgId = 'millrace',
  sharing = () => 1,
  tenancy,
}: AppOptions): Exchanges {
  const notes = new RequestNotes();
  const share = (limit: number) => (): number => Math.ceil(limit / sharing());
  const gate: Gate = {
    orgId,
    settings,
    authenticator: new Authenticator(metadata, sessionLimits(settings), clock),
    rightsChanges: metadata.rightsChanges,
    requests: new RateLimit(share(settings.requestsPerMinute), clock),
    failedLogins: new RateLimit(share(settings.failedLoginsPerMinute), clock),
    clock,
    requestQueue: new FairRequestQueue(),
    senders: new ClientCache(),
    arriving: new InflightBodies(settings.quietBodyTimeout),
  };
  const headers = securityHeaders(settings);
  const refusals = new RejectionCounter({
    settings,
    metrics,
    translate,
    headers,
    notesOf: (request) => notes.of(request),
    formAt: (path) => errorFormBelow(routes, path),
  });
  const record = requestRecorder({ metrics, audit, clock, refused, routes });
  const primary: Tenant = { routes, gate, record };
  const records = new RequestLog((request, reply, cut) => {
    const noted = notes.of(request);
    if (cut) noted.cut = true;
    const { admissions, tenant = primary } = noted;
    if (admissions === undefined) tenant.record(request, reply, noted);
    else void recordAdmissions({ request, reply, notes: noted, admissions }, primary, tenancy);
  });
  return { notes, gate, primary, headers, refusals, records };
}
