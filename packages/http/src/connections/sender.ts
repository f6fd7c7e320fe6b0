import type { FastifyRequest } from 'fastify';
import { pathPrefix } from '../console-address.js';

/** Address, host and protocol of a request, as reported by trusted proxies. */
export interface Sender {
  /** The organization of this server. */
  readonly orgId: string;
  readonly address: string;
  /** Name or address it was sent to, with the port unless it is the protocol's default. */
  readonly host: string;
  readonly https: boolean;
  /** Path before `/console` in the browser's address that a proxy removes; empty for none. */
  readonly prefix: string;
}

interface SenderContext {
  readonly orgId: string;
  readonly settings: { readonly consoleUrl: string | undefined };
}

export const senderOf = ({ ip, host, protocol }: FastifyRequest, { orgId, settings }: SenderContext): Sender => ({
  orgId,
  address: ip,
  host,
  https: protocol === 'https',
  prefix: pathPrefix(host, settings.consoleUrl),
});

/** Whether a host is this machine, seen from the browser that names it. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|[\w.-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host);

/** Whether an address is one of this machine alone. */
export const isOwnAddress = (address: string): boolean => /^(?:::ffff:)?127\.|^::1$/i.test(address);
