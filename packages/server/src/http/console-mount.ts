import type { FastifyRequest } from 'fastify';
import { httpError } from '../errors.js';
import type { Settings } from '../settings/settings.js';
import { consoleApi } from './table/paths.js';
import { isLoopback, senderOf } from './connections/sender.js';

/**
 * The second mount of the table of routes, below `/console/api`. Requests there are signed in by
 * the cookie of a session, which a browser sends by itself, also for pages that are not the
 * console's: of other origins, and of other ports of this machine, as cookies do not tell ports
 * apart. So each request has to show that a page of the console made it. The other mount never
 * looks at a cookie.
 */

/** Whether a request came below the mount. */
export const isMounted = ({ originalUrl }: FastifyRequest): boolean => originalUrl.startsWith(`${consoleApi}/`);

/**
 * What a page of another origin can send only after it has asked, by a preflight that is refused.
 */
const consoleHeader = 'x-millrace-console';

/** Types a page can send to another origin without asking: those of forms. */
const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/** @throws HttpError `not-from-console`, `route-not-found` if there is no console */
export function requireConsole(request: FastifyRequest, settings: Settings): void {
  const { method, headers, originalUrl } = request;
  if (!settings.console) throw httpError('route-not-found', { method, path: originalUrl.split('?')[0]! });
  const problem = problemOf(request, settings);
  if (problem !== undefined) throw httpError('not-from-console', { problem });
  if (headers.authorization !== undefined && !isSignIn(request))
    throw httpError('not-from-console', { problem: 'it is the cookie that counts here, not the Authorization header' });
}

/** Where a token becomes a session. */
const isSignIn = ({ url }: FastifyRequest): boolean => url.startsWith(consoleApi);

function problemOf(request: FastifyRequest, settings: Settings): string | undefined {
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  if (site === undefined ? !mayLackSite(request, settings) : site !== 'same-origin')
    return `Sec-Fetch-Site is ${site ?? 'missing'}, not same-origin`;
  if (headers.origin !== undefined && hostIn(headers.origin) !== senderOf(request).host)
    return `Origin is ${headers.origin}, but the request went to ${senderOf(request).host}; a proxy in front has to pass on the header Host`;
  if (headers[consoleHeader] !== '1') return 'the header X-Millrace-Console: 1 is missing';
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && formTypes.includes(type)) return `its content type is ${type}, which is that of a form`;
  return undefined;
}

/**
 * Browsers say where a request comes from only where nobody can read along: to this machine, or
 * over HTTPS.
 */
function mayLackSite(request: FastifyRequest, settings: Settings): boolean {
  const { https, host } = senderOf(request);
  return settings.consolePlainHttp && !https && !isLoopback(host);
}

function hostIn(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
