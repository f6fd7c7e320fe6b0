import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Metadata } from '@millrace/metadata/metadata';
import { defaultSettings, sessionLimits } from '../settings/settings.js';
import { noCapabilities } from '@millrace/api/schemas/capabilities';
import { Authenticator } from './authenticate.js';
import { isAllowed, type RequiredPermission } from './authorize.js';
import { hashSecret, isSecret, newSecret, sameHash } from '@millrace/metadata/secrets';
import { describeEachStore } from '@millrace/metadata/testing/metadata-stores';

describeEachStore((store) => {
  const limits = sessionLimits(defaultSettings());
  let now = Date.UTC(2026, 10, 20);
  let metadata: Metadata;
  let authenticator: Authenticator;
  beforeEach(async () => {
    metadata = await store.open(() => now);
    authenticator = new Authenticator(metadata, limits, () => now);
  });
  afterEach(() => metadata.close());

  const login = (secret: string) => authenticator.authenticate(`Bearer ${secret}`);
  const readUsers: RequiredPermission = { scope: 'org', resource: 'users', action: 'read' };
  const readLogs: RequiredPermission = { scope: 'dataset', resource: 'query', action: 'read', name: 'logs' };

  const refused: readonly (readonly [string | undefined, string | RegExp])[] = [
    [undefined, 'no token was sent; send "Authorization: Bearer <token>"'],
    ['', 'no token was sent; send "Authorization: Bearer <token>"'],
    ['Bearer', 'empty token'],
    ['Bearer  ', 'empty token'],
    ['Basic dXNlcjpwYXNz', 'not of the form'],
    ['Bearer a b', 'not of the form'],
    ['Bearer xapt-123', 'malformed'],
    ['Bearer xaat-00000000-0000-4000-8000-00000000000G', 'malformed'],
    [`Bearer ${newSecret('api')}`, /unknown token; it may be mistyped, deleted or from another server$/],
  ];
  test.each(refused)('%s is refused: %s', (header, reason) =>
    expect(authenticator.authenticate(header)).rejects.toThrow(reason),
  );

  describe('an API token', () => {
    const make = (expires?: string) =>
      metadata.tokens.create({
        kind: 'api',
        name: 'n',
        userId: 'u',
        expires,
        capabilities: { ...noCapabilities, orgCapabilities: { users: ['read'] } },
      });

    test('has its own rights', async () => {
      const { secret, token } = await make();
      const principal = await login(secret);
      expect(principal).toMatchObject({ kind: 'api-token', tokenId: token.id, tokenName: 'n', userId: 'u' });
      expect([isAllowed(principal, readUsers), isAllowed(principal, readLogs)]).toEqual([true, false]);
      expect(await authenticator.authenticate(`bEARER  ${secret} `)).toEqual(principal);
    });

    test('works until it expires, to the millisecond, also when it is known already', async () => {
      const { secret } = await make(new Date(now + 10).toISOString());
      await login(secret);
      now += 9;
      await login(secret);
      now += 1;
      await expect(login(secret)).rejects.toThrow('expired');
    });

    test('is rejected if its expiry is unreadable', async () => {
      const { secret } = await make('2126-01-01T00:00:00+01:00[Europe/Paris]');
      await expect(login(secret)).rejects.toThrow('expired');
    });

    test('stops working when it is deleted', async () => {
      const { secret, token } = await make();
      await login(secret);
      await metadata.tokens.delete('api', token.id);
      await expect(login(secret)).rejects.toThrow('unknown');
    });

    test('both work while one takes over from the other', async () => {
      const { secret, token } = await make();
      await login(secret);
      const next = await metadata.tokens.regenerate(token.id, new Date(now + 1000).toISOString(), {});
      expect(next.token).toMatchObject({ name: 'n', capabilities: token.capabilities });
      expect(next.token.id).not.toBe(token.id);
      await login(secret);
      await login(next.secret);
      now += 1000;
      await expect(login(secret)).rejects.toThrow('expired');
      await login(next.secret);
    });
  });

  test('rights that were read before a change are not kept, though the answer comes after it', async () => {
    const { secret, token } = await metadata.tokens.create({ kind: 'api', name: 'n', userId: 'u' });
    let answer: (() => void) | undefined;
    const slow = {
      findBySecret: async (text: string) => {
        const found = await metadata.tokens.findBySecret(text);
        if (answer === undefined) await new Promise<void>((resolve) => (answer = resolve));
        return found;
      },
    };
    const late = new Authenticator({ ...metadata, tokens: slow as Metadata['tokens'] }, limits, () => now);
    const first = late.authenticate(`Bearer ${secret}`);
    await expect.poll(() => answer).toBeDefined();
    await metadata.tokens.delete('api', token.id);
    await expect(late.authenticate(`Bearer ${secret}`)).rejects.toThrow('unknown');
    answer!();
    await first;
    await expect(late.authenticate(`Bearer ${secret}`)).rejects.toThrow('unknown');
  });

  describe('a personal token', () => {
    test('has the rights of its user, as they are now', async () => {
      const user = await metadata.users.create({ email: 'a@b.c', name: 'A', role: 'none' });
      await metadata.users.owner();
      const { secret } = await metadata.tokens.create({ kind: 'personal', name: 'n', userId: user.id });
      const rights = async () => [readUsers, readLogs].map(async (need) => isAllowed(await login(secret), need));
      const now_ = async () => Promise.all(await rights());
      expect(await now_()).toEqual([false, false]);

      const role = await metadata.roles.create({
        name: 'r',
        description: '',
        members: [user.id],
        ...noCapabilities,
        orgCapabilities: { users: ['read'] },
      });
      expect(await now_()).toEqual([true, false]);

      const group = await metadata.groups.create({
        name: 'g',
        description: '',
        members: [user.id],
        roles: ['read-only'],
        isManaged: false,
      });
      expect(await now_()).toEqual([true, true]);

      await metadata.roles.delete(role.id);
      await metadata.groups.delete(group.id);
      expect(await now_()).toEqual([false, false]);

      await metadata.users.update(user.id, { role: 'admin' });
      expect(await now_()).toEqual([true, true]);

      await metadata.users.delete(user.id);
      await expect(login(secret)).rejects.toThrow('unknown');
    });
  });

  describe('secrets', () => {
    test('look as clients expect, differ, and are kept as hashes only', async () => {
      const { secret } = await metadata.tokens.create({ kind: 'personal', name: 'n', userId: 'u' });
      expect(secret).toMatch(/^xapt-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(newSecret('api')).toMatch(/^xaat-/);
      expect([isSecret(secret), isSecret(`${secret}0`), isSecret(secret.toUpperCase())]).toEqual([true, false, false]);
      expect(newSecret('api')).not.toBe(newSecret('api'));
      const rows = await metadata.database.selectFrom('tokens').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(secret.slice(5));
      expect(rows[0]!.hash).toBe(hashSecret(secret));
    });

    test('are compared by whole hashes', () => {
      const hash = hashSecret('a');
      expect([
        sameHash(hash, hash),
        sameHash(hash, hashSecret('b')),
        sameHash(hash, hash.slice(2)),
        sameHash('', ''),
      ]).toEqual([true, false, false, true]);
    });
  });
});
