import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpError } from '@millrace/api/errors';
import type { AppOptions, Exchanges } from './new-fastify.js';
import { bodyLimitOf } from './body/body-limit.js';
import { readBody } from './body/read-body.js';
import { isClosed } from './connections/aborted-responses.js';
import { PipelinedRequests } from './connections/pipelining.js';
import { isMounted } from './console-mount.js';
import { refuseMethodAt } from './reject-method.js';
import { serverTiming, sumTimings } from './recording/timings.js';
import { applyCors } from './security.js';
import { requestQuotaKey } from './serve.js';

/** Registers the hooks for all routes: before the body is read, and before the response is sent. */
export function addHooks(
  app: FastifyInstance,
  { settings, routes }: AppOptions,
  { notes, gate, headers, refusals, records }: Exchanges,
): void {
  let closing = false;
  // Without a listener, Node sends its own response. Expectations that Node supports never get
  // here.
  const expecting = new WeakSet<IncomingMessage>();
  app.server.on('checkExpectation', (message: IncomingMessage, response: ServerResponse) => {
    expecting.add(message);
    app.server.emit('request', message, response);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, stream: IncomingMessage) => {
    const { route, principal } = notes.of(request);
    if (route?.request.body === 'stream') return stream;
    const limit = bodyLimitOf(route, settings);
    const arriving = gate.arriving.begin(requestQuotaKey(request, principal), route?.admit);
    const body = await readBody(stream, announcedLength(request), limit, arriving);
    refusals.requireInTime(request.raw.socket);
    return body;
  });
  // A client that disconnects before the first byte of a long response is not an error.
  app.setErrorHandler<Error>((error, request, reply) =>
    isClosed(error) && request.raw.socket.destroyed ? reply.send() : refusals.answer(error, request, reply),
  );
  const refuseMethod = (request: FastifyRequest): never => refuseMethodAt(routes, request);
  app.setNotFoundHandler(refuseMethod);
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  const requests = new PipelinedRequests();
  app.server.on('connection', () => gate.requestQueue.accept());
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const inTurn = (): void =>
      gate.requestQueue.add(
        () => gate.senders.of(request),
        () => {
          // Skips requests whose client has disconnected or whose connection has ended.
          if (!socket.destroyed && socket.writable !== false) done();
        },
      );
    requests.add(socket, reply.raw, inTurn);
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...headers, 'x-axiom-trace-id': request.id });
    refusals.requireInTime(request.raw.socket);
    if (closing) throw httpError('shutting-down', {}, { headers: { connection: 'close', 'retry-after': '5' } });
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw httpError('bad-http', { problem: 'it has no Host header' }, { headers: { connection: 'close' } });
    }
    // A proxy in front may have used the other one.
    if (hostsOf(request).length > 1)
      throw httpError('bad-http', { problem: 'it has several Host headers' }, { headers: { connection: 'close' } });
    if (expecting.has(request.raw)) {
      const { expect = '' } = request.headers;
      throw httpError('expectation-failed', { expectation: expect }, { headers: { connection: 'close' } });
    }
    if (Buffer.byteLength(request.raw.url ?? '') > settings.maxUrlBytes)
      throw httpError('url-too-long', { limit: settings.maxUrlBytes });
    // The console API never allows other origins, whatever the CORS settings.
    if (!isMounted(request) && applyCors(settings, request, reply)) return void reply.code(204).send();
    // Before the body is read: the response does not depend on it, and Fastify restricts bodies for
    // some methods.
    if (request.is404) refuseMethod(request);
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // So that its client does not send the next request on a connection that is about to be closed.
    if (closing) reply.header('connection', 'close');
    const noted = notes.of(request);
    if (noted.timings.length > 0) reply.header('server-timing', serverTiming(sumTimings(noted)));
    records.recordMade(request, reply);
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    records.recordSent(request, reply);
    done();
  });
}

/** Every Host header. A request that tests make without a socket does not have them one by one. */
const hostsOf = ({ raw }: FastifyRequest): readonly string[] =>
  (raw.headersDistinct as typeof raw.headersDistinct | undefined)?.host ?? [];

/** Parses Content-Length; Node has already rejected invalid numbers. */
function announcedLength({ headers }: FastifyRequest): number | undefined {
  const text = headers['content-length'];
  return text === undefined ? undefined : Number(text);
}
