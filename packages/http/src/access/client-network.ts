import { isIPv6 } from 'node:net';

/**
 * Rate-limit key of an address without a token. An IPv6 host has 2^64 addresses, which would
 * otherwise be as many callers.
 * @returns the address itself, or for IPv6 the network of its first 64 bits: `2001:db8:0:1::/64`
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const groupsOf = (text: string): readonly string[] => text.split(':').filter((group) => group !== '');
  const [before = '', after = ''] = address.split('::').map((part) => part.replace(/%.*$/, ''));
  const [head, tail] = [groupsOf(before), groupsOf(after)];
  // An embedded IPv4 address takes two groups.
  const written = head.length + tail.length + (address.includes('.') ? 1 : 0);
  const groups = [...head, ...Array<string>(8 - written).fill('0'), ...tail];
  const first = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${first.join(':')}::/64`;
}
