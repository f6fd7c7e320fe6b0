import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Which addresses notifications may go to. Who writes a notifier need not be able to reach what
 * this server can: services that tell machines their credentials answer at addresses of the link,
 * and whole networks trust their own. What counts is the address a name stands for when it is
 * called.
 */

type Kind = 'v4' | 'v6';
type Network = readonly [address: string, bits: number];

function listOf(networks: Readonly<Record<Kind, readonly Network[]>>): BlockList {
  const list = new BlockList();
  for (const [address, bits] of networks.v4) list.addSubnet(address, bits, 'ipv4');
  for (const [address, bits] of networks.v6) list.addSubnet(address, bits, 'ipv6');
  return list;
}

/**
 * Never: this link, where clouds tell machines their credentials, also at other addresses; nothing;
 * many at once.
 */
const never = listOf({
  v4: [
    ['0.0.0.0', 8],
    ['169.254.0.0', 16],
    ['100.100.100.200', 32],
    ['168.63.129.16', 32],
    ['192.0.0.192', 32],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ],
  v6: [
    ['::', 128],
    ['fe80::', 10],
    ['fd00:ec2::254', 128],
    ['fd20:ce::254', 128],
    ['ff00::', 8],
  ],
});

/** Only where the operator allows it: this machine, and networks that are nobody else's. */
const inside = listOf({
  v4: [
    ['127.0.0.0', 8],
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['100.64.0.0', 10],
    ['198.18.0.0', 15],
  ],
  v6: [
    ['::1', 128],
    ['fc00::', 7],
  ],
});

/** Why an address may not be called; undefined if it may. */
export function refusalOf(address: string, allowsPrivate: boolean): string | undefined {
  const plain = embedded(address);
  const kind = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
  if (never.check(plain, kind)) return `it is at ${address}, where nothing may be sent`;
  if (!allowsPrivate && inside.check(plain, kind))
    return `it is at the private address ${address}; MILLRACE_NOTIFY_PRIVATE_ADDRESSES=true allows that`;
  return undefined;
}

/** IPv6 has forms in which an address of IPv4 is written or reached. */
function embedded(address: string): string {
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
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * Finds the addresses of a name, for a connection that is about to be made; one that may not be
 * called is an error.
 */
export const guardedLookup =
  (allowsPrivate: boolean, resolve: typeof lookup = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const addresses = found as unknown as readonly LookupAddress[];
      if (error !== null) return callback(error, '', 0);
      const refusal = addresses
        .map(({ address }) => refusalOf(address, allowsPrivate))
        .find((why) => why !== undefined);
      if (refusal !== undefined) return callback(new AddressRefused(`${hostname}: ${refusal}`), '', 0);
      if (options.all === true) return callback(null, [...addresses]);
      const [first] = addresses;
      if (first === undefined) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0);
      callback(null, first.address, first.family);
    });
  };
