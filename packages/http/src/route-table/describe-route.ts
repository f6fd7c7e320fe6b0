import { describePermission } from '../access/authorize.js';
import type { ErrorCode } from '@millrace/api/errors';
import { namingOf, type Route, type RouteNeed } from '../route.js';

/** Parts of a route's documentation that are derived from its record. */

/**
 * Describes the right that a route requires, and on which resource, as in ``the dataset capability
 * ingest:create on `{dataset}` ``.
 */
export function describeRouteNeed(need: RouteNeed): string {
  const naming = namingOf(need);
  if (naming === undefined) return describePermission(need);
  const on = naming.in === 'path' ? `\`{${naming.name}}\`` : `what the header \`${naming.name}\` names`;
  return `${describePermission(need)} on ${on}`;
}

/**
 * Every error of a route, in the order of the checks. Statuses 414, 431 and 408 occur before
 * routing.
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
    // A write is on disk before the response.
    method !== 'GET' && limitFamily !== 'Query' && 'disk-full-change',
    // A query first moves acknowledged events into the engine.
    limitFamily === 'Query' && 'disk-full-read',
    'internal',
    // Authentication reads the metadata.
    need.scope !== 'public' && 'metadata-unavailable',
    'shutting-down',
  ];
  return [...new Set(all.filter((code) => code !== false))];
}
