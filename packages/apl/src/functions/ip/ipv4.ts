import { call, literal, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { constantOf, convert, nullOf } from '../../lower/values.js';
import { isBetween, longLiteral } from '../datetime/calendar.js';
import { defineFunction, defineOverload, param } from '../define.js';
import type { Example, FunctionRecord, LoweredArgument, Overload } from '../define.js';
import { contentOf, holdsText } from '../json-text.js';
import { comparisons, isInRange } from './compare.js';
import { cutTo, ipv4, networkOf } from './address.js';
import type { Network } from './address.js';

/** `body` over an address given as a number or as text. */
function withNetwork(address: LoweredArgument, body: (network: Network) => Expr): Expr {
  return shareSubexpression(address.sql, (value) => {
    if (address.type === 'string') return body(networkOf(ipv4, value));
    const number = call('if', isBetween(value, 0n, 2n ** 32n - 1n), value, nullOf('long'));
    return body({ address: number, prefix: longLiteral(32n) });
  });
}

const dottedAddress = (address: Expr): Expr => call('IPv4NumToString', call('toUInt32', address));

/** The text of an address; the documented result of a failure is the empty text. */
function formatAddress(address: LoweredArgument, prefix: LoweredArgument | undefined, withPrefix: boolean): Expr {
  return withNetwork(address, (network) => {
    const bits = prefix === undefined ? network.prefix : cutTo(ipv4, network.prefix, prefix.sql);
    const text = dottedAddress(ipv4.masked({ address: network.address, prefix: bits }));
    const whole = withPrefix ? call('concat', text, literal('/'), call('toString', bits)) : text;
    return call('ifNull', whole, literal(''));
  });
}

/** As `formatAddress`; only the run time knows whether a dynamic value is a number or a text. */
const formattedDynamic = (address: LoweredArgument, prefix: LoweredArgument | undefined, withPrefix: boolean): Expr =>
  shareSubexpression(address.sql, (json) => {
    const text: LoweredArgument = { type: 'string', sql: contentOf(json) };
    const number = convert({ type: 'dynamic', sql: json }, 'long')!;
    return call(
      'if',
      holdsText(json),
      formatAddress(text, prefix, withPrefix),
      formatAddress(number, prefix, withPrefix),
    );
  });

const formatOverloads = (withPrefix: boolean): readonly Overload[] =>
  (['long', 'string', 'dynamic'] as const).map((type) =>
    defineOverload({
      params: [param('address', type), param('prefix', 'long', { optional: true })],
      returns: 'string',
      lower: ([address, prefix]) =>
        (type === 'dynamic' ? formattedDynamic : formatAddress)(address, prefix, withPrefix),
    }),
  );

/** RFC 1918. */
const privateRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map((range) => constantOf('string', range));

const ofText = (
  name: string,
  summary: string,
  returns: 'long' | 'bool',
  lower: (network: Network) => Expr,
  examples: readonly Example[],
): FunctionRecord =>
  defineFunction({
    name,
    summary,
    params: [param('address', 'string')],
    returns,
    lower: ([address]) => withNetwork(address, lower),
    examples,
  });

export const ipv4Functions: readonly FunctionRecord[] = [
  ofText(
    'parse_ipv4',
    'The IPv4 address as a number, cut to the prefix after a slash if there is one; null if the text is not an address.',
    'long',
    ipv4.masked,
    [
      { apl: 'parse_ipv4("192.168.1.1")', gives: 3_232_235_777 },
      { apl: 'parse_ipv4("192.168.1.1/24")', gives: 3_232_235_776 },
      { apl: 'parse_ipv4("192.168.1")', gives: null },
      { apl: 'parse_ipv4("0.0.0.0")', gives: 0 },
    ],
  ),
  defineFunction({
    name: 'parse_ipv4_mask',
    summary: 'The IPv4 address as a number, cut to a prefix of that many bits; null if either is invalid.',
    params: [param('address', 'string'), param('prefix', 'long')],
    returns: 'long',
    lower: ([address, prefix]) =>
      withNetwork(address, (network) =>
        ipv4.masked({ address: network.address, prefix: cutTo(ipv4, network.prefix, prefix.sql) }),
      ),
    examples: [
      { apl: 'parse_ipv4_mask("192.168.1.1", 24)', gives: 3_232_235_776 },
      { apl: 'parse_ipv4_mask("192.168.1.1", 0)', gives: 0 },
      { apl: 'parse_ipv4_mask("192.168.1.1", -1)', gives: null },
    ],
  }),
  {
    name: 'format_ipv4',
    summary:
      'The text of an IPv4 address given as a number or text, cut to the prefix if one is given; empty if the address or the prefix is invalid.',
    handlesNulls: true,
    overloads: formatOverloads(false),
    examples: [
      { apl: 'format_ipv4(3232235777)', gives: '192.168.1.1' },
      { apl: 'format_ipv4("192.168.1.1", 24)', gives: '192.168.1.0' },
      { apl: 'format_ipv4(-1)', gives: '' },
      { apl: 'format_ipv4("abc")', gives: '' },
      { apl: 'format_ipv4(tolong("x"))', gives: '' },
      { apl: 'format_ipv4(dynamic({"ip": "10.1.2.3"}).ip, 8)', gives: '10.0.0.0' },
      { apl: 'format_ipv4(dynamic({"ip": 3232235777}).ip)', gives: '192.168.1.1' },
      { apl: 'format_ipv4(dynamic({"ip": 1}).no)', gives: '' },
    ],
  },
  {
    name: 'format_ipv4_mask',
    summary: 'The network of an IPv4 address, such as 192.168.1.0/24; empty if the address or the prefix is invalid.',
    handlesNulls: true,
    overloads: formatOverloads(true),
    examples: [
      { apl: 'format_ipv4_mask("192.168.1.1", 24)', gives: '192.168.1.0/24' },
      { apl: 'format_ipv4_mask(3232235777)', gives: '192.168.1.1/32' },
      { apl: 'format_ipv4_mask(dynamic({"ip": "10.1.2.3/16"}).ip)', gives: '10.1.0.0/16' },
      { apl: 'format_ipv4_mask("192.168.1.1", 33)', gives: '' },
      { apl: 'format_ipv4_mask("192.168.1.1", -1)', gives: '' },
    ],
    differs: { kusto: 'The prefix is required.' },
  },
  ofText(
    'ipv4_netmask_suffix',
    'The prefix after an IPv4 address, 32 if there is none; null if the text is not an address.',
    'long',
    ({ address, prefix }) => call('if', call('isNull', address), nullOf('long'), prefix),
    [
      { apl: 'ipv4_netmask_suffix("10.1.2.3/24")', gives: 24 },
      { apl: 'ipv4_netmask_suffix("10.1.2.3")', gives: 32 },
      { apl: 'ipv4_netmask_suffix("10.1.2.3/33")', gives: null },
      { apl: 'ipv4_netmask_suffix("abc")', gives: null },
    ],
  ),
  ofText(
    'ipv4_is_private',
    'Whether the IPv4 address belongs to a private network (RFC 1918); null if the text is not an address.',
    'bool',
    ({ address }) => or(...privateRanges.map((range) => isInRange(ipv4, address, range))),
    [
      { apl: 'ipv4_is_private("192.168.2.1")', gives: true },
      { apl: 'ipv4_is_private("172.32.0.1")', gives: false },
      { apl: 'ipv4_is_private("10.1.2.3/24")', gives: true },
      { apl: 'ipv4_is_private("::1")', gives: null },
    ],
  ),
  ...comparisons(ipv4, {
    compare: [
      { apl: 'ipv4_compare("192.168.1.1", "192.168.1.10")', gives: -1 },
      { apl: 'ipv4_compare("192.168.1.9/24", "192.168.1.10")', gives: 0 },
      { apl: 'ipv4_compare("10.0.0.1", "9.0.0.1", 4)', gives: 0 },
      { apl: 'ipv4_compare("abc", "1.1.1.1")', gives: null },
    ],
    match: [
      { apl: 'ipv4_is_match("192.168.1.1", "192.168.1.1")', gives: true },
      { apl: 'ipv4_is_match("192.168.1.1/24", "192.168.1.255")', gives: true },
      { apl: 'ipv4_is_match("192.168.1.1", "192.168.3.1", 22)', gives: true },
      { apl: 'ipv4_is_match("192.168.1.1", "192.168.3.1", 33)', gives: null },
      { apl: 'ipv4_is_match("192.168.1.1", "192.168.3.1", -1)', gives: null },
    ],
    inRange: [
      { apl: 'ipv4_is_in_range("192.168.1.6", "192.168.1.0/24")', gives: true },
      { apl: 'ipv4_is_in_range("192.168.2.6", "192.168.1.0/24")', gives: false },
      { apl: 'ipv4_is_in_range("1.2.3.4", "0.0.0.0/0")', gives: true },
      { apl: 'ipv4_is_in_range("1.2.3.4", "1.2.3.0/240")', gives: null },
    ],
    inAny: [
      { apl: 'ipv4_is_in_any_range("192.168.1.6", dynamic(["10.0.0.0/8", "192.168.0.0/16"]))', gives: true },
      { apl: 'ipv4_is_in_any_range("192.168.1.6", "10.0.0.0/8", "127.0.0.0/8")', gives: false },
      { apl: 'ipv4_is_in_any_range("10.0.0.1", dynamic(["nonsense", "10.0.0.0/8"]))', gives: true },
      { apl: 'ipv4_is_in_any_range("11.0.0.1", dynamic(["nonsense", "10.0.0.0/8"]))', gives: null },
      { apl: 'ipv4_is_in_any_range("10.0.0.1", dynamic({"a": ["10.0.0.0/8", 1]}).a)', gives: true },
      { apl: 'ipv4_is_in_any_range("10.0.0.1", dynamic([]))', gives: false },
      { apl: 'ipv4_is_in_any_range("10.0.0.1", dynamic({"a": "10.0.0.0/8"}).a)', gives: true },
      { apl: 'ipv4_is_in_any_range("10.0.0.1", dynamic({"a": 8}).a)', gives: null },
    ],
  }),
];
