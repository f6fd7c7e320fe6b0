import { describeNeed } from '../../access/allowed.js';
import type { ErrorCode } from '../../errors.js';
import { namingOf, type Route, type RouteNeed } from '../route.js';

/** Parts of a route's documentation that are derived from its record. */

/**
 * The right that a route needs, and on what, as in
 * ``the dataset capability ingest:create on `{dataset}` ``.
 */
export function describeRouteNeed(need: RouteNeed): string {
  const naming = namingOf(need);
  if (naming === undefined) return describeNeed(need);
  const on = naming.in === 'path' ? `\`{${naming.name}}\`` : `what the header \`${naming.name}\` names`;
  return `${describeNeed(need)} on ${on}`;
}

/**
 * Every error a route can answer with, in the order in which a request meets them. Statuses 414,
 * 431 and 408 come before any route.
 */
export function errorsOf({
  method,
  need,
  request,
  errors,
  limitFamily,
  streams,
  maxBodyBytes,
}: Route): readonly ErrorCode[] {
  const { params, query, headers, body } = request;
  const described = params !== undefined || query !== undefined || headers !== undefined || body !== undefined;
  const all: readonly (ErrorCode | false)[] = [
    need.scope !== 'public' && 'unauthenticated',
    'rate-limited',
    need.scope !== 'public' && need.scope !== 'login' && 'forbidden',
    streams === true && 'http-too-old',
    body !== undefined && (maxBodyBytes === undefined ? 'json-too-large' : 'body-too-large'),
    body !== undefined && body !== 'bytes' && 'unsupported-encoding',
    body !== undefined && body !== 'bytes' && 'missing-body',
    body !== undefined && body !== 'bytes' && 'invalid-json',
    described && 'invalid-request',
    limitFamily === 'Query' && 'too-many-queries',
    ...errors,
    // A route that changes something writes it to disk before it answers.
    method !== 'GET' && limitFamily !== 'Query' && 'disk-full',
    'internal',
    // Without its token nobody is known.
    need.scope !== 'public' && 'metadata-unavailable',
    'shutting-down',
  ];
  return [...new Set(all.filter((code) => code !== false))];
}
