import type { FastifyReply, FastifyRequest } from 'fastify';
import { limitHeaderNames } from './access/rate-limit.js';
import type { Settings } from './settings/settings.js';

/** Headers of every response, and CORS. */

const commonHeaders = {
  // Responses are data for one caller: caches must not store them, browsers must not guess their
  // type, and pages must not frame them.
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

export function securityHeaders(settings: Settings): Readonly<Record<string, string>> {
  return settings.tlsCert === undefined
    ? commonHeaders
    : { ...commonHeaders, 'strict-transport-security': 'max-age=31536000' };
}

/** Response headers that pages of other origins may read. */
const exposedHeaders = [
  'x-axiom-trace-id',
  'x-axiom-history-query-id',
  ...limitHeaderNames,
  'x-ratelimit-scope',
  'retry-after',
  'server-timing',
  'x-millrace-error',
  'x-millrace-position',
  'x-millrace-settled',
  'idempotent-replayed',
].join(', ');

/**
 * Adds the CORS headers for a page of another origin, if the settings allow that origin.
 * @returns whether this was a preflight request, whose response consists of these headers
 */
export function applyCors(settings: Settings, request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin } = request.headers;
  if (origin === undefined || settings.corsOrigins.length === 0) return false;
  reply.header('vary', 'Origin');
  if (!settings.corsOrigins.includes('*') && !settings.corsOrigins.includes(origin)) return false;
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposedHeaders);
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  reply
    .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
    .header(
      'access-control-allow-headers',
      request.headers['access-control-request-headers'] ?? 'authorization, content-type',
    )
    .header('access-control-max-age', '600');
  return true;
}
