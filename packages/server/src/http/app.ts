import type { FastifyInstance } from 'fastify';
import { Authenticator } from '../access/authenticate.js';
import { RateLimit } from '../access/rate-limit.js';
import { sessionLimits } from '../settings/settings.js';
import { addHooks } from './hooks.js';
import { type AppOptions, type Exchanges, newFastify } from './new-fastify.js';
import { KnownSenders } from './connections/known-senders.js';
import { SenderTurns } from './connections/sender-turns.js';
import { ArrivingBodies } from './body/arriving-bodies.js';
import { Refusals } from './errors/refusals.js';
import { mount } from './mounting.js';
import { Records } from './recording/recorded-once.js';
import { requestRecorder } from './recording/request-record.js';
import { securityHeaders } from './security.js';
import type { Gate } from './serve.js';
import { RequestNotes } from './request-notes.js';
import { checkTable, errorFormBelow } from './table/paths.js';

/**
 * Makes the HTTP server from the table of routes. It is not listening yet; tests talk to it with
 * `inject`.
 * @throws Error when the table contradicts itself
 */
export function buildApp(options: AppOptions): FastifyInstance {
  checkTable(options.routes);
  const exchanges = exchangesOf(options);
  const app = newFastify(options, exchanges);
  addHooks(app, options, exchanges);
  mount(app, options, exchanges);
  return app;
}

/** What requests have in common. */
function exchangesOf({
  settings,
  metadata,
  routes,
  metrics,
  audit,
  refused,
  translate,
  clock = Date.now,
  sharing = () => 1,
}: AppOptions): Exchanges {
  const notes = new RequestNotes();
  const share = (limit: number) => (): number => Math.ceil(limit / sharing());
  const gate: Gate = {
    settings,
    authenticator: new Authenticator(metadata, sessionLimits(settings), clock),
    rightsChanges: metadata.rightsChanges,
    requests: new RateLimit(share(settings.requestsPerMinute), clock),
    failedLogins: new RateLimit(share(settings.failedLoginsPerMinute), clock),
    clock,
    turns: new SenderTurns(),
    senders: new KnownSenders(),
    arriving: new ArrivingBodies(settings.quietBodyTimeout),
  };
  const headers = securityHeaders(settings);
  const refusals = new Refusals({
    settings,
    metrics,
    translate,
    headers,
    notesOf: (request) => notes.of(request),
    formAt: (path) => errorFormBelow(routes, path),
  });
  const record = requestRecorder({ metrics, audit, clock, refused });
  const records = new Records((request, reply, cut) => {
    const noted = notes.of(request);
    if (cut) noted.cut = true;
    record(request, reply, noted);
  });
  return { notes, gate, headers, refusals, records };
}
