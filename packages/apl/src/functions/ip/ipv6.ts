import type { FunctionRecord } from '../define.js';
import { ipv6 } from './address.js';
import { comparisons } from './compare.js';

export const ipv6Functions: readonly FunctionRecord[] = comparisons(ipv6, {
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
