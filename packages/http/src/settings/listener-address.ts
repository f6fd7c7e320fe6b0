import { BlockList, isIP } from 'node:net';

/**
 * Address of a listener with its dataset and options:
 * `tcp://0.0.0.0:5514/logs?zone=+02:00&allow=10.0.0.0/8`.
 */
export interface ListenerAddress {
  readonly transport: 'tcp' | 'udp' | 'tls';
  readonly host: string;
  readonly port: number;
  readonly dataset: string;
  /** Minutes that local times are ahead of UTC. */
  readonly zone: number;
  /** How messages are read, for a protocol that has several forms. */
  readonly format: ListenerFormat;
  /** A file with the CA certificates of `tls` clients; undefined if they need no certificate. */
  readonly clientCa: string | undefined;
  /** Whether messages from an address are accepted. */
  allows(address: string): boolean;
}

const formats = ['auto', '5424', '3164', 'raw'] as const;
export type ListenerFormat = (typeof formats)[number];

const pattern = /^(tcp|udp|tls):\/\/(\[[0-9a-f:]+\]|[\w.-]+):(\d{1,5})\/([\w.-]+)(?:\?(.+))?$/i;
const zonePattern = /^([+-])(\d\d):(\d\d)$/;

/** @returns undefined if the text is invalid */
export function listenerAddress(text: string): ListenerAddress | undefined {
  const match = pattern.exec(text);
  if (match === null || Number(match[3]) > 65_535) return undefined;
  const [, transport, host = '', port, dataset = '', query = ''] = match;
  const networks = new BlockList();
  let zone = 0;
  let format: ListenerFormat = 'auto';
  let clientCa: string | undefined;
  let limited = false;
  for (const part of query === '' ? [] : query.split('&')) {
    const [name, value = ''] = part.split(/=(.*)/s);
    if (name === 'zone' && zonePattern.test(value)) zone = minutesOf(value);
    else if (name === 'format' && formats.some((one) => one === value)) format = value as ListenerFormat;
    else if (name === 'client-ca' && value !== '' && /^tls$/i.test(transport!)) clientCa = value;
    else if (name === 'allow' && addNetwork(networks, value)) limited = true;
    else return undefined;
  }
  return {
    transport: transport!.toLowerCase() as ListenerAddress['transport'],
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port),
    dataset,
    zone,
    format,
    clientCa,
    allows: (address) => !limited || networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'),
  };
}

function minutesOf(text: string): number {
  const [, sign, hours, minutes] = zonePattern.exec(text)!;
  return (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(minutes));
}

/** An address, or a network such as `10.0.0.0/8`. */
function addNetwork(networks: BlockList, text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  const bits = version === 6 ? 128 : 32;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if (version === 0 || more.length > 0 || length < 0 || length > bits) return false;
  networks.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  return true;
}
