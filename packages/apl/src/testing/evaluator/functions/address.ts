import type { Plain, Special } from '../functions.js';
import { isList } from '../values.js';
import type { Type, Value } from '../values.js';

/** An address as a number, and how many of its leading bits count. */
interface Network {
  readonly address: bigint;
  readonly prefix: bigint;
}

interface Family {
  readonly bits: bigint;
  readonly numberOf: (text: string) => bigint | null;
  /** Bits that precede an address written as IPv4. */
  readonly offset: (text: string) => bigint;
}

function ipv4Number(text: string): bigint | null {
  const parts = text.split('.');
  const fits = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return fits ? parts.reduce((number, part) => number * 256n + BigInt(part), 0n) : null;
}

function ipv6Number(text: string): bigint | null {
  const mapped = ipv4Number(text);
  if (mapped !== null) return 0xffff_0000_0000n + mapped;
  const [left = '', right, ...more] = text.split('::');
  const groups = (part: string): readonly string[] =>
    part === ''
      ? []
      : part.split(':').flatMap((group) => {
          const last = ipv4Number(group);
          return last === null ? [group] : [(last >> 16n).toString(16), (last & 0xffffn).toString(16)];
        });
  const [head, tail] = [groups(left), groups(right ?? '')];
  const zeros = right === undefined ? 0 : 8 - head.length - tail.length;
  const all = [...head, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...tail];
  const fits = more.length === 0 && all.length === 8 && all.every((group) => /^[0-9a-f]{1,4}$/i.test(group));
  return fits ? all.reduce((number, group) => number * 65_536n + BigInt(`0x${group}`), 0n) : null;
}

const ipv4: Family = { bits: 32n, numberOf: ipv4Number, offset: () => 0n };
const ipv6: Family = { bits: 128n, numberOf: ipv6Number, offset: (text) => (text.includes(':') ? 0n : 96n) };

/** `10.0.0.0/8`, or an address alone. */
function networkOf({ bits, numberOf, offset }: Family, text: string): Network | null {
  const [written = '', digits, ...more] = text.split('/');
  const address = numberOf(written);
  if (address === null || more.length > 0) return null;
  if (digits === undefined) return { address, prefix: bits };
  const prefix = /^\d{1,3}$/.test(digits) ? BigInt(digits) + offset(written) : bits + 1n;
  return prefix <= bits ? { address, prefix } : null;
}

const cut = ({ bits }: Family, address: bigint, prefix: bigint): bigint =>
  (address >> (bits - prefix)) << (bits - prefix);

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * The number of a network's address, cut to the network's prefix or to a shorter one; null for a
 * prefix out of range.
 */
function cutTo(family: Family, { address, prefix }: Network, given: bigint): Network | null {
  if (given < 0n || given > family.bits) return null;
  const bits = smaller(prefix, given);
  return { address: cut(family, address, bits), prefix: bits };
}

const defineComparison = (family: Family, returns: Type, of: (a: bigint, b: bigint) => Value): readonly Plain[] => [
  {
    params: ['string', 'string', 'long'],
    optional: 2,
    returns,
    of: (first: string, second: string, given: bigint = family.bits) => {
      const [a, b] = [networkOf(family, first), networkOf(family, second)];
      if (a === null || b === null || given < 0n || given > family.bits) return null;
      const bits = smaller(given, smaller(a.prefix, b.prefix));
      return of(cut(family, a.address, bits), cut(family, b.address, bits));
    },
  },
];

/** True if a range holds the address, null if none does and one of the texts is invalid. */
function isInAny(family: Family, text: string, ranges: readonly Value[]): Value {
  const address = family.numberOf(text);
  if (address === null) return null;
  const verdicts = ranges.map((range) => {
    const network = typeof range === 'string' ? networkOf(family, range) : null;
    if (network === null) return null;
    return cut(family, address, network.prefix) === cut(family, network.address, network.prefix);
  });
  return verdicts.includes(true) ? true : verdicts.includes(null) ? null : false;
}

const inRange = (family: Family): readonly Plain[] => [
  {
    params: ['string', 'string'],
    returns: 'bool',
    of: (text: string, range: string) => isInAny(family, text, [range]),
  },
];

const inAnyRange = (family: Family): readonly Plain[] => [
  {
    params: ['string', 'string', 'string'],
    optional: 2,
    returns: 'bool',
    of: (text: string, ...ranges: string[]) => isInAny(family, text, ranges),
  },
  {
    params: ['string', 'dynamic'],
    returns: 'bool',
    of: (text: string, ranges: Value) => (isList(ranges) ? isInAny(family, text, ranges) : null),
  },
];

const ofNetwork = (returns: Type, of: (network: Network) => Value): readonly Plain[] => [
  {
    params: ['string'],
    returns,
    of: (text: string) => {
      const network = networkOf(ipv4, text);
      return network === null ? null : of(network);
    },
  },
];

/** Whether a word of a text, which may contain dots, is an address for which the test holds. */
const anyWord = (text: string, test: (address: string) => boolean): boolean =>
  (text.match(/[0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*/g) ?? []).some((word) => ipv4Number(word) !== null && test(word));

const isIn = (word: string, network: Value): boolean => isInAny(ipv4, word, [network]) === true;

const beginsWith = (word: string, prefix: Value): boolean =>
  typeof prefix === 'string' &&
  /^\d{1,3}(\.\d{1,3}){0,3}\.?$/.test(prefix) &&
  `${word}.`.startsWith(prefix.endsWith('.') ? prefix : `${prefix}.`);

const inText = (test: (word: string, wanted: Value) => boolean): readonly Plain[] => [
  {
    params: ['string', 'string', 'string'],
    optional: 2,
    returns: 'bool',
    of: (text: string, ...wanted: string[]) => anyWord(text, (word) => wanted.some((one) => test(word, one))),
  },
  {
    params: ['string', 'dynamic'],
    returns: 'bool',
    of: (text: string, wanted: Value) =>
      anyWord(text, (word) => isList(wanted) && wanted.some((one) => test(word, one))),
  },
];

const formatDotted = (address: bigint): string => [24n, 16n, 8n, 0n].map((bits) => (address >> bits) & 255n).join('.');

/**
 * The text of an address given as a text or a number, cut to a prefix if one is given; empty if
 * either is invalid.
 */
const formatAddress =
  (withPrefix: boolean): Special =>
  ([address, prefix]) => ({
    type: 'string',
    at: (rows, i) => {
      const [value, given] = [address!.at(rows, i), prefix === undefined ? ipv4.bits : prefix.at(rows, i)];
      const isAddress = typeof value === 'bigint' && value >= 0n && value < 2n ** 32n;
      const network =
        typeof value === 'string' ? networkOf(ipv4, value) : isAddress ? { address: value, prefix: ipv4.bits } : null;
      const short = network === null || typeof given !== 'bigint' ? null : cutTo(ipv4, network, given);
      if (short === null) return '';
      return withPrefix ? `${formatDotted(short.address)}/${short.prefix}` : formatDotted(short.address);
    },
  });

/** Functions that write addresses, whether these are null or not. */
export const addressTextFunctions: Readonly<Record<string, Special>> = {
  format_ipv4: formatAddress(false),
  format_ipv4_mask: formatAddress(true),
};

/** Functions of network addresses. */
export const addressFunctions: Readonly<Record<string, readonly Plain[]>> = {
  parse_ipv4: ofNetwork('long', ({ address, prefix }) => cut(ipv4, address, prefix)),
  parse_ipv4_mask: [
    {
      params: ['string', 'long'],
      returns: 'long',
      of: (text: string, prefix: bigint) => {
        const network = networkOf(ipv4, text);
        return network === null ? null : (cutTo(ipv4, network, prefix)?.address ?? null);
      },
    },
  ],
  ipv4_netmask_suffix: ofNetwork('long', ({ prefix }) => prefix),
  ipv4_is_private: ofNetwork('bool', ({ address }) =>
    ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].some((range) => {
      const known = networkOf(ipv4, range)!;
      return cut(ipv4, address, known.prefix) === known.address;
    }),
  ),
  ipv4_compare: defineComparison(ipv4, 'long', (a, b) => (a < b ? -1n : a > b ? 1n : 0n)),
  ipv6_compare: defineComparison(ipv6, 'long', (a, b) => (a < b ? -1n : a > b ? 1n : 0n)),
  ipv4_is_match: defineComparison(ipv4, 'bool', (a, b) => a === b),
  ipv6_is_match: defineComparison(ipv6, 'bool', (a, b) => a === b),
  ipv4_is_in_range: inRange(ipv4),
  ipv6_is_in_range: inRange(ipv6),
  ipv4_is_in_any_range: inAnyRange(ipv4),
  ipv6_is_in_any_range: inAnyRange(ipv6),
  has_ipv4: inText(isIn),
  has_any_ipv4: inText(isIn),
  has_ipv4_prefix: inText(beginsWith),
  has_any_ipv4_prefix: inText(beginsWith),
};
