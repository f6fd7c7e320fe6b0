import type { lookup } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { guardedLookup, blockReason } from './addresses.js';

const rules = (allowsPrivate: boolean) => ({ allowsPrivate, setting: 'MILLRACE_NOTIFY_PRIVATE_ADDRESSES' });

describe('where notifications may go', () => {
  test.each([
    ['169.254.169.254', 'never'],
    ['0.0.0.0', 'never'],
    ['100.100.100.200', 'never'],
    ['fe80::1', 'never'],
    ['fe80::1%eth0', 'never'],
    ['fd00:ec2::254', 'never'],
    ['::ffff:169.254.169.254', 'never'],
    ['::ffff:a9fe:a9fe', 'never'],
    ['64:ff9b::a9fe:a9fe', 'never'],
    ['2002:a9fe:a9fe::1', 'never'],
    ['::', 'never'],
    ['64:ff9b:1::1', 'never'],
    ['64:ff9b:1:ffff::8.8.8.8', 'never'],
    ['::ffff:0:8.8.8.8', 'never'],
    ['::ffff:0:7f00:1', 'never'],
    ['fec0::1', 'never'],
    ['feff::1', 'never'],
    ['100::1', 'never'],
    ['100:0:0:1::1', 'never'],
    ['2001::1', 'never'],
    ['2001:1ff::1', 'never'],
    ['2001:db8::1', 'never'],
    ['3fff::1', 'never'],
    ['5f00::1', 'never'],
    ['ff02::1', 'never'],
    ['192.0.0.8', 'never'],
    ['192.0.2.1', 'never'],
    ['192.88.99.1', 'never'],
    ['198.51.100.1', 'never'],
    ['203.0.113.1', 'never'],
    ['224.0.0.1', 'never'],
    ['255.255.255.255', 'never'],
    ['168.63.129.16', 'never'],
    ['fd20:ce::254', 'never'],
    ['100.64.0.1', 'private'],
    ['198.19.0.1', 'private'],
    ['2002:a00:1::1', 'private'],
    ['2001:200::1', 'anywhere'],
    ['192.0.1.1', 'anywhere'],
    ['64:ff9b::8.8.8.8', 'anywhere'],
    ['127.0.0.1', 'private'],
    ['::1', 'private'],
    ['10.1.2.3', 'private'],
    ['172.31.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['fd12::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['::7f00:1', 'private'],
    ['172.32.0.1', 'anywhere'],
    ['8.8.8.8', 'anywhere'],
    ['2606:4700::1111', 'anywhere'],
    ['::ffff:8.8.8.8', 'anywhere'],
  ])('%s: %s', (address, expected) => {
    const kind =
      blockReason(address, rules(true)) !== undefined
        ? 'never'
        : blockReason(address, rules(false)) !== undefined
          ? 'private'
          : 'anywhere';
    expect(kind).toBe(expected);
  });

  test('a name counts by every address it stands for, at the time of the call', async () => {
    const resolveAddress = (addresses: readonly string[]) =>
      new Promise((resolve) =>
        guardedLookup(rules(false), ((_: string, __: object, done: (error: null, found: readonly object[]) => void) =>
          done(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          )) as unknown as typeof lookup)('host.example', {}, (error, address) => resolve(error?.message ?? address)),
      );
    expect(await resolveAddress(['8.8.8.8'])).toBe('8.8.8.8');
    expect(await resolveAddress(['8.8.8.8', '169.254.169.254'])).toContain(
      'host.example: address 169.254.169.254 is blocked',
    );
    expect(await resolveAddress(['10.0.0.1'])).toContain('set MILLRACE_NOTIFY_PRIVATE_ADDRESSES=true to allow it');
  });
});
