import type { ErrorCode } from '../errors.js';
import type { Route } from './route.js';

/** Every error a route can answer with, in the order in which a request meets them. Statuses 414, 431 and 408 come before any route. */
export function errorsOf({ method, need, request, errors, limitFamily, streams }: Route): readonly ErrorCode[] {
  const { params, query, headers, body } = request;
  const described = params !== undefined || query !== undefined || headers !== undefined || body !== undefined;
  const all: readonly (ErrorCode | false)[] = [
    need.scope !== 'public' && 'unauthenticated',
    'rate-limited',
    need.scope !== 'public' && need.scope !== 'login' && 'forbidden',
    streams === true && 'http-too-old',
    body !== undefined && 'body-too-large',
    body !== undefined && body !== 'bytes' && 'unsupported-encoding',
    body !== undefined && body !== 'bytes' && 'invalid-json',
    described && 'invalid-request',
    limitFamily === 'Query' && 'too-many-queries',
    ...errors,
    // A route that changes something writes it to disk before it answers.
    method !== 'GET' && limitFamily !== 'Query' && 'disk-full',
    'internal',
    'shutting-down',
  ];
  return [...new Set(all.filter((code) => code !== false))];
}
