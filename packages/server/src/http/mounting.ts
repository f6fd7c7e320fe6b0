import type { FastifyInstance } from 'fastify';
import type { AppOptions, Exchanges } from './new-fastify.js';
import { meantContentType } from './body/media-type.js';
import { refuseMethodAt } from './refuse-method.js';
import { admit, answer, identify, newNotes } from './serve.js';
import { misledMethods, routerPath } from './table/paths.js';

/** Mounts the table of routes. */
export function mount(
  app: FastifyInstance,
  { routes }: Pick<AppOptions, 'routes'>,
  { notes: noted, gate }: Exchanges,
): void {
  for (const route of routes) {
    app.route({
      method: route.method,
      url: routerPath(route.path),
      exposeHeadRoute: route.refusesHead !== true,
      onRequest: async (request, reply) => {
        const notes = newNotes(route);
        const exchange = { route, request, reply, notes };
        noted.keep(request, notes);
        // Clients send options they do not use as empty texts, and names of formats as types;
        // Fastify would take both for malformed types.
        const contentType = meantContentType(request.headers['content-type'] ?? '');
        if (contentType === undefined) delete request.headers['content-type'];
        else request.headers['content-type'] = contentType;
        notes.principal = await identify(gate, exchange);
        admit(gate, exchange);
      },
      handler: (request, reply) => answer(gate, { route, request, reply, notes: noted.of(request) }),
    });
  }
  for (const { path, methods } of misledMethods(routes)) {
    app.route({
      method: [...methods],
      url: routerPath(path),
      exposeHeadRoute: false,
      onRequest: async (request) => refuseMethodAt(routes, request),
      handler: (request) => refuseMethodAt(routes, request),
    });
  }
}
