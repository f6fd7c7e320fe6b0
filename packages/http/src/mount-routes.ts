import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppOptions, Exchanges } from './new-fastify.js';
import { effectiveContentType } from './body/media-type.js';
import { refuseMethodAt } from './reject-method.js';
import { authorize, answer, authenticate, newNotes } from './serve.js';
import type { Route } from './route.js';
import { chooseTenant } from './choose-tenant.js';
import { wrongMethodHints, routerPath } from './route-table/paths.js';

/** Mounts the table of routes. */
export function mount(
  app: FastifyInstance,
  { routes, tenancy }: Pick<AppOptions, 'routes' | 'tenancy'>,
  { notes: noted, primary }: Exchanges,
): void {
  for (const [i, described] of routes.entries()) {
    app.route({
      method: described.method,
      url: routerPath(described.path),
      exposeHeadRoute: described.refusesHead !== true,
      onRequest: async (request, reply) => {
        // Noted first: opening an organization may fail.
        noted.keep(request, newNotes(described, primary));
        const { tenant, home, problem } = await chooseTenant(tenancy, primary, described, request);
        const { gate } = tenant;
        const route = tenant.routes[i]!;
        const notes = newNotes(route, tenant, home);
        const exchange = { route, request, reply, notes };
        noted.keep(request, notes);
        // Clients send unused options as empty strings, and format names as types; Fastify would
        // reject both as malformed types.
        const contentType = effectiveContentType(request.headers['content-type'] ?? '');
        if (contentType === undefined) delete request.headers['content-type'];
        else request.headers['content-type'] = contentType;
        setDefaultHeader(route, request);
        notes.principal = await authenticate(gate, exchange, problem);
        authorize(gate, exchange);
      },
      handler: (request, reply) => {
        const notes = noted.of(request);
        const { route = described, tenant = primary } = notes;
        return answer(tenant.gate, { route, request, reply, notes });
      },
    });
  }
  for (const { path, methods } of wrongMethodHints(routes)) {
    app.route({
      method: [...methods],
      url: routerPath(path),
      exposeHeadRoute: false,
      onRequest: async (request) => refuseMethodAt(routes, request),
      handler: (request) => refuseMethodAt(routes, request),
    });
  }
}

/**
 * Sets the header that names the dataset to the preferred one, or to its default if it is missing.
 */
function setDefaultHeader({ need }: Route, { headers }: FastifyRequest): void {
  if (!('header' in need) || need.header === undefined) return;
  const { header, preferred = '', otherwise } = need;
  const winner = headers[preferred];
  if (typeof winner === 'string' && winner !== '') headers[header] = winner;
  else if (otherwise !== undefined && (headers[header] ?? '') === '') headers[header] = otherwise;
}
