import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpError } from '../errors.js';
import type { AppOptions, Exchanges } from './new-fastify.js';
import { bodyLimitOf } from './body/body-limit.js';
import { readBody } from './body/read-body.js';
import { isClosed } from './connections/cut-answers.js';
import { OneAfterAnother } from './connections/one-after-another.js';
import { isMounted } from './console-mount.js';
import { refuseMethodAt } from './refuse-method.js';
import { applyCors } from './security.js';
import { holderOf } from './serve.js';

/**
 * What happens to every request, whichever route it is for: before its body is read, and when its
 * answer leaves.
 */
export function addHooks(
  app: FastifyInstance,
  { settings, routes }: AppOptions,
  { notes, gate, headers, refusals, records }: Exchanges,
): void {
  let closing = false;
  // Without a listener Node answers in a form of its own. What it takes for an expectation it knows
  // never gets here.
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
    const arriving = gate.arriving.begin(holderOf(request, principal), route?.admit);
    const body = await readBody(stream, announcedLength(request), limit, arriving);
    refusals.requireInTime(request.raw.socket);
    return body;
  });
  // Who leaves before the first byte of a long answer hears nothing any more, and nothing is wrong.
  app.setErrorHandler<Error>((error, request, reply) =>
    isClosed(error) && request.raw.socket.destroyed ? reply.send() : refusals.answer(error, request, reply),
  );
  const refuseMethod = (request: FastifyRequest): never => refuseMethodAt(routes, request);
  app.setNotFoundHandler(refuseMethod);
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  const requests = new OneAfterAnother();
  app.server.on('connection', () => gate.turns.accepted());
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const inTurn = (): void =>
      gate.turns.add(
        () => gate.senders.of(request),
        () => {
          // Nobody waits for its answer any more, or the connection has been answered and ended.
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
    // A proxy in front may have gone by the other one.
    if (hostsOf(request).length > 1)
      throw httpError('bad-http', { problem: 'it has several Host headers' }, { headers: { connection: 'close' } });
    if (expecting.has(request.raw)) {
      const { expect = '' } = request.headers;
      throw httpError('expectation-failed', { expectation: expect }, { headers: { connection: 'close' } });
    }
    if (Buffer.byteLength(request.raw.url ?? '') > settings.maxUrlBytes)
      throw httpError('url-too-long', { limit: settings.maxUrlBytes });
    // Below the mount of the console no other origin has any business, whatever the settings allow
    // elsewhere.
    if (!isMounted(request) && applyCors(settings, request, reply)) return void reply.code(204).send();
    // Before the body is read: however long it is, the answer is the same, and Fastify has demands
    // of its own on the bodies of some methods.
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
}

/** Every Host header. A request that tests make without a socket does not have them one by one. */
const hostsOf = ({ raw }: FastifyRequest): readonly string[] =>
  (raw.headersDistinct as typeof raw.headersDistinct | undefined)?.host ?? [];

/** What Content-Length says; Node has refused what is no number. */
function announcedLength({ headers }: FastifyRequest): number | undefined {
  const text = headers['content-length'];
  return text === undefined ? undefined : Number(text);
}
