import { call, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';
import type { FunctionRecord } from '../define.js';
import { cutTo, ipv6, networkOf } from './address.js';
import { comparisons } from './compare.js';

/** All eight groups with all their digits; null for null. */
const addressText = (address: Expr): Expr =>
  call(
    'if',
    call('isNull', address),
    nullOf('string'),
    call(
      'arrayStringConcat',
      call('extractAll', call('lower', call('hex', call('assumeNotNull', address))), literal('.{4}')),
      literal(':'),
    ),
  );

/**
 * An IPv4 address after `::`, which Kusto reads as one after `::ffff:`; a prefix of up to 32 bits
 * is one of the IPv4 address.
 */
const withMappedPrefix = (text: Expr): Expr =>
  [
    ['^::([0-9]+[.][0-9.]+(?:/(?:[0-9]|[12][0-9]|3[0-2]))?)$', '\\1'],
    ['^::([0-9]+[.][0-9.]+(?:/.*)?)$', '::ffff:\\1'],
  ].reduce((read, [from, to]) => call('replaceRegexpOne', read, literal(from!), literal(to!)), text);

const texts: readonly FunctionRecord[] = [
  defineFunction({
    name: 'parse_ipv6',
    summary:
      'The IPv6 address with all its digits, cut to its prefix; an IPv4 address begins with ::ffff:. Null if it is none.',
    params: [param('address', 'string')],
    returns: 'string',
    lower: ([address]) =>
      shareSubexpression(withMappedPrefix(address.sql), (text) => addressText(ipv6.masked(networkOf(ipv6, text)))),
    examples: [
      { apl: 'parse_ipv6("127.0.0.1")', gives: '0000:0000:0000:0000:0000:ffff:7f00:0001' },
      { apl: 'parse_ipv6(":fe80::85d:e82c:9446:7994")', gives: null },
      { apl: 'parse_ipv6("fe80::85d:e82c:9446:7994")', gives: 'fe80:0000:0000:0000:085d:e82c:9446:7994' },
      { apl: 'parse_ipv6("::192.168.255.255")', gives: '0000:0000:0000:0000:0000:ffff:c0a8:ffff' },
      { apl: 'parse_ipv6("2001:db8::1/32")', gives: '2001:0db8:0000:0000:0000:0000:0000:0000' },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  defineFunction({
    name: 'parse_ipv6_mask',
    summary: 'The IPv6 address with all its digits, cut to a prefix of that many bits; null if either is invalid.',
    params: [param('address', 'string'), param('prefix', 'long')],
    returns: 'string',
    lower: ([address, prefix]) =>
      shareSubexpression(withMappedPrefix(address.sql), (text) => {
        const network = networkOf(ipv6, text);
        return addressText(ipv6.masked({ address: network.address, prefix: cutTo(ipv6, network.prefix, prefix.sql) }));
      }),
    examples: [
      { apl: 'parse_ipv6_mask("192.168.255.255", 120)', gives: '0000:0000:0000:0000:0000:ffff:c0a8:ff00' },
      { apl: 'parse_ipv6_mask("::192.168.255.255", 128)', gives: '0000:0000:0000:0000:0000:ffff:c0a8:ffff' },
      { apl: 'parse_ipv6_mask("::192.168.255.255/24", 128)', gives: '0000:0000:0000:0000:0000:ffff:c0a8:ff00' },
      { apl: 'parse_ipv6_mask("::192.168.255.255/120", 128)', gives: '0000:0000:0000:0000:0000:ffff:c0a8:ff00' },
      { apl: 'parse_ipv6_mask("fe80::85d:e82c:9446:7994", 120)', gives: 'fe80:0000:0000:0000:085d:e82c:9446:7900' },
      { apl: 'parse_ipv6_mask("::1", 129)', gives: null },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
];

const ranges: readonly FunctionRecord[] = comparisons(ipv6, {
  compare: [
    { apl: 'ipv6_compare("2001:db8::1", "2001:db8::2")', gives: -1 },
    { apl: 'ipv6_compare("2001:DB8:0::1", "2001:db8::1")', gives: 0 },
    { apl: 'ipv6_compare("192.168.1.1", "::ffff:192.168.1.1")', gives: 0 },
    { apl: 'ipv6_compare("192.168.1.9/24", "192.168.1.1")', gives: 0 },
    { apl: 'ipv6_compare("x", "::1")', gives: null },
  ],
  match: [
    { apl: 'ipv6_is_match("2001:db8:abcd::1", "2001:db8::/32")', gives: true },
    { apl: 'ipv6_is_match("2001:db8::1", "2001:db8::2", 112)', gives: true },
    { apl: 'ipv6_is_match("2001:db8::1", "2001:db8::2")', gives: false },
    { apl: 'ipv6_is_match("2001:db8::1", "2001:db8::2/129")', gives: null },
  ],
  inRange: [
    { apl: 'ipv6_is_in_range("2001:db8::1234", "2001:db8::/32")', gives: true },
    { apl: 'ipv6_is_in_range("fe80::1", "2001:db8::/32")', gives: false },
    { apl: 'ipv6_is_in_range("fe80::1", "::/0")', gives: true },
    { apl: 'ipv6_is_in_range("abc", "::/0")', gives: null },
    { apl: 'ipv6_is_in_range("::ffff:10.1.2.3", "10.0.0.0/8")', gives: true },
    { apl: 'ipv6_is_in_range("::ffff:10.1.2.3", "::ffff:10.0.0.0/104")', gives: true },
    { apl: 'ipv6_is_in_range("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8")', gives: true },
    { apl: 'ipv6_is_in_range("::1", "1::2::3")', gives: null },
    { apl: 'ipv6_is_in_range("10.1.2.3", strcat("10.0.0.0", "/8"))', gives: true },
  ],
  inAny: [
    { apl: 'ipv6_is_in_any_range("2001:db8::1234", dynamic(["fd00::/8", "2001:db8::/32"]))', gives: true },
    { apl: 'ipv6_is_in_any_range("10.1.2.3", "fd00::/8", "10.0.0.0/8")', gives: true },
    { apl: 'ipv6_is_in_any_range("2001:db8::1", dynamic({"a": ["fd00::/8", "2001:db8::/32"]}).a)', gives: true },
    { apl: 'ipv6_is_in_any_range("2001:db8::1", dynamic(["fd00::/8"]))', gives: false },
    { apl: 'ipv6_is_in_any_range("2001:db8::1", dynamic({"a": "2001:db8::/32"}).a)', gives: true },
  ],
});

export const ipv6Functions: readonly FunctionRecord[] = [...ranges, ...texts];
