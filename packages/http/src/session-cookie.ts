import { consoleApi } from './route-table/paths.js';
import type { Sender } from './connections/sender.js';

/**
 * The cookie of a session. Pages cannot read it, and browsers send it below the console's own mount
 * only. Its name has the ID of the organization: browsers keep one cookie of a name for all ports
 * of a host. So two servers on one machine do not sign each other out, and nodes share sessions.
 */

const days = 24 * 3600;
/** Longer than any session; the server knows when one is over. */
const maxAge = 30 * days;

function nameFor({ orgId, https }: Sender): string {
  // Browsers accept a cookie with this prefix only over HTTPS, so attackers on the network cannot
  // set it.
  return `${https ? '__Secure-' : ''}${orgId}`;
}

/** The `Set-Cookie` header with a session. */
export const setCookie = (sender: Sender, secret: string): Record<string, string> => ({
  'set-cookie': cookie(sender, secret, maxAge),
});

/** The header that takes it away again. */
export const dropCookie = (sender: Sender): Record<string, string> => ({ 'set-cookie': cookie(sender, '', 0) });

const cookie = (sender: Sender, value: string, seconds: number): string =>
  `${nameFor(sender)}=${value}; Path=${sender.prefix}${consoleApi}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${sender.https ? '; Secure' : ''}`;

/**
 * Extracts the session secret from the header `Cookie`. Undefined also if there are two: pages on
 * other ports of the host can set cookies, and the genuine one is unknown.
 */
export function sessionIn(header: string | undefined, sender: Sender): string | undefined {
  const prefix = `${nameFor(sender)}=`;
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  return found.length === 1 && found[0] !== '' ? found[0] : undefined;
}
