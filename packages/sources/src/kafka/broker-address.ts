import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AddressRules, blockReason } from '@millrace/http/outgoing/addresses';

interface BrokerAddress {
  readonly host: string;
  readonly port: number;
}

/** Parses `host:port`. An IPv6 address is in brackets. */
export function addressOf(broker: string): BrokerAddress | undefined {
  const found = /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(broker);
  if (found === null) return undefined;
  const port = Number(found[3]);
  const host = found[1] ?? found[2]!;
  return port >= 1 && port <= 65_535 ? { host, port } : undefined;
}

/**
 * Checks every address of a host, by name or as a literal.
 * @throws Error if the server may not connect to it
 */
export async function requireAllowed(host: string, rules: AddressRules): Promise<void> {
  const addresses = isIP(host) === 0 ? (await lookup(host, { all: true })).map(({ address }) => address) : [host];
  const refusal = addresses.map((address) => blockReason(address, rules)).find((why) => why !== undefined);
  if (refusal !== undefined) throw new Error(`${host}: ${refusal}`);
}
