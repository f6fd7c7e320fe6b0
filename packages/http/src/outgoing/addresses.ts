import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Addresses that the server may call for a user, who names them in a notifier or a source. The user
 * may lack access to networks that the server can reach: link-local services hand out credentials
 * of the machine, and private networks trust their members. Checks the resolved address when a
 * connection is made, not the name.
 */

type Rule = 'never' | 'private';

/**
 * Networks that are not public: IANA's special-purpose registries, except globally reachable ones,
 * and addresses where clouds serve machine credentials. `private`: only if the operator allows it.
 * IPv6 forms that embed an IPv4 address count as that address, see `embeddedAddress`.
 */
const networks: readonly (readonly [network: string, bits: number, rule: Rule])[] = [
  // This host, this link, and special uses of the protocol.
  ['0.0.0.0', 8, 'never'],
  ['169.254.0.0', 16, 'never'],
  ['192.0.0.0', 24, 'never'],
  ['192.88.99.0', 24, 'never'],
  ['::', 128, 'never'],
  ['::ffff:0:0:0', 96, 'never'],
  ['64:ff9b:1::', 48, 'never'],
  ['100::', 64, 'never'],
  ['100:0:0:1::', 64, 'never'],
  ['2001::', 23, 'never'],
  ['5f00::', 16, 'never'],
  ['fe80::', 10, 'never'],
  ['fec0::', 10, 'never'],
  // Documentation.
  ['192.0.2.0', 24, 'never'],
  ['198.51.100.0', 24, 'never'],
  ['203.0.113.0', 24, 'never'],
  ['2001:db8::', 32, 'never'],
  ['3fff::', 20, 'never'],
  // Multicast and reserved.
  ['224.0.0.0', 4, 'never'],
  ['240.0.0.0', 4, 'never'],
  ['ff00::', 8, 'never'],
  // Metadata services of clouds.
  ['100.100.100.200', 32, 'never'],
  ['168.63.129.16', 32, 'never'],
  ['fd00:ec2::254', 128, 'never'],
  ['fd20:ce::254', 128, 'never'],
  // This machine and private networks.
  ['127.0.0.0', 8, 'private'],
  ['10.0.0.0', 8, 'private'],
  ['172.16.0.0', 12, 'private'],
  ['192.168.0.0', 16, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['198.18.0.0', 15, 'private'],
  ['::1', 128, 'private'],
  ['fc00::', 7, 'private'],
];

function toBlockList(rule: Rule): BlockList {
  const list = new BlockList();
  for (const [network, bits, of] of networks)
    if (of === rule) list.addSubnet(network, bits, network.includes(':') ? 'ipv6' : 'ipv4');
  return list;
}

const forbiddenAddresses = toBlockList('never');
const inside = toBlockList('private');

/** Which addresses may be called, and the setting that allows private ones. */
export interface AddressRules {
  readonly allowsPrivate: boolean;
  /** `MILLRACE_…` */
  readonly setting: string;
}

/** Why an address may not be called; undefined if it may. */
export function blockReason(address: string, { allowsPrivate, setting }: AddressRules): string | undefined {
  const plain = embeddedAddress(address);
  const kind = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
  if (forbiddenAddresses.check(plain, kind)) return `address ${address} is blocked`;
  if (!allowsPrivate && inside.check(plain, kind))
    return `private address ${address} is blocked; set ${setting}=true to allow it`;
  return undefined;
}

/** IPv6 has forms in which an address of IPv4 is written or reached. */
function embeddedAddress(address: string): string {
  const [zoneless = address] = address.split('%');
  if (isIP(zoneless) !== 6) return zoneless;
  const words = wordsOf(zoneless);
  const isMapped =
    words.slice(0, 5).every((word) => word === 0) &&
    (words[5] === 0xffff || (words[5] === 0 && (words[6] !== 0 || words[7]! > 1)));
  const isTranslated = words[0] === 0x64 && words[1] === 0xff9b && words.slice(2, 6).every((word) => word === 0);
  const from = words[0] === 0x2002 ? 1 : isMapped || isTranslated ? 6 : undefined;
  if (from === undefined) return zoneless;
  const [high, low] = [words[from]!, words[from + 1]!];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function wordsOf(address: string): readonly number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = (a: string, b: string): string => ((Number(a) << 8) | Number(b)).toString(16);
  const plain = dotted === null ? address : `${dotted[1]}${hex(dotted[2]!, dotted[3]!)}:${hex(dotted[4]!, dotted[5]!)}`;
  const [before = '', after] = plain.split('::');
  const parts = (text: string): readonly number[] =>
    text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16));
  const head = parts(before);
  const tail = after === undefined ? [] : parts(after);
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

/** An address that may not be called. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/** Resolves a host name for a connection; fails if any of its addresses is forbidden. */
export const guardedLookup =
  (rules: AddressRules, resolve: typeof lookup = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const addresses = found as unknown as readonly LookupAddress[];
      if (error !== null) return callback(error, '', 0);
      const refusal = addresses.map(({ address }) => blockReason(address, rules)).find((why) => why !== undefined);
      if (refusal !== undefined) return callback(new BlockedAddressError(`${hostname}: ${refusal}`), '', 0);
      if (options.all === true) return callback(null, [...addresses]);
      const [first] = addresses;
      if (first === undefined) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0);
      callback(null, first.address, first.family);
    });
  };
