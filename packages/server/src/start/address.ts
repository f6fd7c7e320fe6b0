import type { AddressInfo } from 'node:net';
import { type Settings, variableOf } from '../settings/settings.js';
import type { Base } from './parts.js';

/** Where a server can be reached. */

/** Nobody on the way may read a token. */
export function warnOfPlainText(
  { settings: { host, tlsCert }, logger }: Pick<Base, 'settings' | 'logger'>,
  { address }: AddressInfo,
): void {
  if (tlsCert !== undefined || /^(127\.|::1$|::ffff:127\.)/.test(address)) return;
  logger.warn(
    { host },
    `other machines can reach this server, and tokens and events travel in plain text: put a proxy with TLS in front, or set ${variableOf('tlsCert')} and ${variableOf('tlsKey')}`,
  );
}

export function urlOf({ tlsCert }: Settings, { address, port, family }: AddressInfo): string {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `${tlsCert === undefined ? 'http' : 'https'}://${host}:${port}`;
}

/**
 * The address as a browser on this machine can open it: one that stands for every address is no
 * address to go to.
 */
export const visitable = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//localhost');
