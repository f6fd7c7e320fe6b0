import { call, integer, literal, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { nullOf } from '../../lower/values.js';
import { isBetween, longLiteral } from '../datetime/calendar.js';

/**
 * An address and how many of its leading bits count. The address is null where the text is not a
 * valid network.
 */
export interface Network {
  readonly address: Expr;
  /** Int64 */
  readonly prefix: Expr;
}

/** Properties of IPv4 or IPv6 addresses for the address functions. Addresses compare as numbers. */
export interface AddressFamily {
  readonly name: 'ipv4' | 'ipv6';
  /** Bits of an address, which is also the prefix if none is given. */
  readonly bits: bigint;
  /** An address without prefix; null for any other text. */
  readonly addressOf: (text: Expr) => Expr;
  /** The prefix length after an address and a slash; null if there is none. */
  readonly prefixOf: (text: Expr) => Expr;
  /** The address with all bits after the prefix cleared; null if one of them is null. */
  readonly masked: (network: Network) => Expr;
  /** The number of an address known while compiling; undefined if the text is not an address. */
  readonly parse: (text: string) => { readonly number: bigint; readonly isIpv4: boolean } | undefined;
  /** An address by its number. */
  readonly constant: (number: bigint) => Expr;
}

const addressPart = (text: Expr): Expr => call('substringIndex', text, literal('/'), integer(1));

/** The number after the only slash, null for anything else. */
const prefixDigits = (text: Expr): Expr =>
  call('toInt64', call('toUInt8OrNull', call('extract', text, literal('^[^/]*/([0-9]{1,3})$'))));

const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const IPV4 = new RegExp(`^${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}$`);

function parseIpv4(text: string): bigint | undefined {
  const octets = IPV4.exec(text)?.slice(1);
  return octets?.reduce((number, octet) => number * 256n + BigInt(octet), 0n);
}

/**
 * Parses eight groups of hexadecimal digits; `::` is groups of zeros, and an IPv4 address may
 * replace the last two.
 */
function parseIpv6(text: string): bigint | undefined {
  const tail = /^(.*:)([0-9.]+\.[0-9.]+)$/.exec(text);
  const last = tail === null ? undefined : parseIpv4(tail[2]!);
  if (tail !== null && last === undefined) return undefined;
  const plain =
    last === undefined ? text : `${tail![1]!}${(last >> 16n).toString(16)}:${(last & 0xffffn).toString(16)}`;
  const halves = plain.split('::');
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - left.length - right.length;
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return undefined;
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right];
  if (!groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return undefined;
  return groups.reduce((number, group) => number * 65_536n + BigInt(`0x${group}`), 0n);
}

/** IPv4 addresses are Int64. */
export const ipv4: AddressFamily = {
  name: 'ipv4',
  bits: 32n,
  addressOf: (text) => call('toInt64', call('IPv4StringToNumOrNull', text)),
  prefixOf: prefixDigits,
  masked: ({ address, prefix }) => {
    // The engine refuses a negative shift, even in rows whose result is not used.
    const cleared = call('bitAnd', call('minus', integer(32), prefix), integer(63));
    const mask = call('minus', longLiteral(2n ** 32n), call('bitShiftLeft', longLiteral(1n), cleared));
    return call('bitAnd', address, mask);
  },
  parse: (text) => {
    const number = parseIpv4(text);
    return number === undefined ? undefined : { number, isIpv4: true };
  },
  constant: longLiteral,
};

/**
 * IPv6 addresses have the engine's type IPv6; an IPv4 address becomes one with `::ffff:` before it.
 */
export const ipv6: AddressFamily = {
  name: 'ipv6',
  bits: 128n,
  addressOf: (text) => call('toIPv6OrNull', text),
  prefixOf: (text) => {
    const isIpv4 = call('equals', call('position', text, literal(':')), integer(0));
    const digits = prefixDigits(text);
    return call(
      'if',
      isIpv4,
      call('plus', call('if', isBetween(digits, 0n, 32n), digits, nullOf('long')), integer(96)),
      digits,
    );
  },
  masked: ({ address, prefix }) => {
    const bits = call(
      'toUInt8',
      call('assumeNotNull', call('if', isBetween(prefix, 0n, 128n), prefix, longLiteral(0n))),
    );
    const range = call('IPv6CIDRToRange', call('assumeNotNull', address), bits);
    return call(
      'if',
      or(call('isNull', address), call('not', call('ifNull', isBetween(prefix, 0n, 128n), literal(false)))),
      literal(null),
      call('tupleElement', range, integer(1)),
    );
  },
  parse: (text) => {
    const mapped = parseIpv4(text);
    if (mapped !== undefined) return { number: 0xffff_0000_0000n + mapped, isIpv4: true };
    const number = parseIpv6(text);
    return number === undefined ? undefined : { number, isIpv4: false };
  },
  constant: (number) => {
    const groups = number.toString(16).padStart(32, '0').match(/.{4}/g) ?? [];
    return call('toIPv6', literal(groups.join(':')));
  },
};

/**
 * Parses an address that may have a prefix after a slash. Most have none: they are parsed directly,
 * and the engine searches for a slash only in the rows where that gives null, because the search is
 * in the branch of an `if`.
 */
export function networkOf(family: AddressFamily, text: Expr): Network {
  const whole = family.addressOf(text);
  const isWhole = call('isNotNull', whole);
  const prefix = family.prefixOf(text);
  const isValid = call('lessOrEquals', prefix, longLiteral(family.bits));
  const cut = call('if', isValid, family.addressOf(addressPart(text)), literal(null));
  return {
    address: call('if', isWhole, whole, cut),
    prefix: call('if', isWhole, longLiteral(family.bits), prefix),
  };
}

/** The network that a text known while compiling says; undefined if it says none. */
function numbersOf(
  family: AddressFamily,
  text: string,
): { readonly number: bigint; readonly prefix: bigint } | undefined {
  const [, address = '', digits] = /^([^/]*)(?:\/([0-9]{1,3}))?$/.exec(text) ?? [];
  const parsed = family.parse(address);
  if (parsed === undefined) return undefined;
  const own = parsed.isIpv4 ? 32n : 128n;
  const prefix = digits === undefined ? own : BigInt(digits);
  return prefix > own ? undefined : { number: parsed.number, prefix: prefix + family.bits - own };
}

/** `networkOf` for a text known at compile time; undefined if the text is not a network. */
export function knownNetwork(family: AddressFamily, text: string): Network | undefined {
  const known = numbersOf(family, text);
  return known && { address: family.constant(known.number), prefix: longLiteral(known.prefix) };
}

/**
 * First and last address of a range known while compiling; undefined if the text is not a range.
 */
export function knownRange(
  family: AddressFamily,
  text: string,
): { readonly first: Expr; readonly last: Expr } | undefined {
  const known = numbersOf(family, text);
  if (known === undefined) return undefined;
  const size = 1n << (family.bits - known.prefix);
  const first = known.number - (known.number % size);
  return { first: family.constant(first), last: family.constant(first + size - 1n) };
}

/** -1, 0 or 1 if the first is lower, equal or higher. */
export const order = (a: Expr, b: Expr): Expr =>
  call('minus', call('toInt64', call('greater', a, b)), call('toInt64', call('less', a, b)));

/** The smaller of two prefixes; null if one is null. */
export const smallerPrefix = (a: Expr, b: Expr): Expr => call('if', call('less', a, b), a, b);

/** The smaller of a network's prefix and one given as an argument; null if that is out of range. */
export const cutTo = (family: AddressFamily, own: Expr, given: Expr): Expr =>
  call('if', isBetween(given, 0n, family.bits), smallerPrefix(own, given), nullOf('long'));
