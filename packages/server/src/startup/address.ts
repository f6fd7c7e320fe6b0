import type { AddressInfo } from 'node:net';
import { type Settings, variableOf } from '@millrace/http/settings/settings';
import type { Base } from './types.js';

/** Addresses of the server. */

/** Warns if tokens are sent unencrypted over the network. */
export function warnOfPlainText(
  { settings: { host, tlsCert }, logger }: Pick<Base, 'settings' | 'logger'>,
  { address }: AddressInfo,
): void {
  if (tlsCert !== undefined || /^(127\.|::1$|::ffff:127\.)/.test(address)) return;
  logger.warn(
    { host },
    `server is reachable from other hosts without TLS; use a TLS proxy or set ${variableOf('tlsCert')} and ${variableOf('tlsKey')}`,
  );
}

export function urlOf({ tlsCert }: Settings, { address, port, family }: AddressInfo): string {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `${tlsCert === undefined ? 'http' : 'https'}://${host}:${port}`;
}

/** The address as a browser on this machine can open it: a wildcard address becomes localhost. */
export const browserUrl = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//localhost');
