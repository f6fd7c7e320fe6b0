import type { FastifyRequest } from 'fastify';
import { type HttpError, httpError } from '@millrace/api/errors';
import { pathOf } from './recording/request-record.js';
import type { Route } from './route.js';
import { notServedAt } from './route-table/not-served.js';
import { methodsOf, prefixBefore } from './route-table/paths.js';

/** @throws HttpError that lists the methods at the path of a request */
export function refuseMethodAt(routes: readonly Route[], request: FastifyRequest): never {
  const path = pathOf(request, routes);
  const allowed = methodsOf(routes, path);
  if (allowed.length === 0) throw noRoute(routes, request.method, path);
  throw httpError(
    'method-not-allowed',
    { method: request.method, path, allowed: allowed.join(', ') },
    { headers: { allow: allowed.join(', ') } },
  );
}

function noRoute(routes: readonly Route[], method: string, path: string): HttpError {
  const known = notServedAt(path);
  if (known !== undefined)
    return httpError('route-not-served', { method, path, what: known.what, instead: known.advice });
  const prefix = prefixBefore(routes, path);
  if (prefix === undefined) return httpError('route-not-found', { method, path });
  return httpError('route-behind-prefix', { method, path, prefix, route: path.slice(prefix.length) });
}
