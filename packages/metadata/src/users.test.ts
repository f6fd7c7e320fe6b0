import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownerToken } from '@millrace/http/access/owner-token';
import type { Metadata } from './metadata.js';
import { describeEachStore } from './testing/metadata-stores.js';

describeEachStore((store) => {
  let metadata: Metadata;
  beforeEach(async () => void (metadata = await store.open()));
  afterEach(() => metadata.close());

  test('the first owner is made once', async () => {
    const owner = await metadata.users.owner();
    expect(owner).toMatchObject({ role: 'owner', name: 'Owner' });
    expect(await metadata.users.owner()).toEqual(owner);
  });

  test('the last owner stays an owner; a second one makes it possible to remove the first', async () => {
    const owner = await metadata.users.owner();
    await expect(metadata.users.delete(owner.id)).rejects.toThrow('the last owner');
    await expect(metadata.users.update(owner.id, { role: 'user' })).rejects.toThrow('the last owner');
    expect(await metadata.users.get(owner.id)).toEqual(owner);
    await metadata.users.create({ email: 'b@example.com', name: 'B', role: 'owner' });
    await metadata.users.delete(owner.id);
    expect(await metadata.users.find(owner.id)).toBeUndefined();
  });

  test('addresses are unique', async () => {
    await metadata.users.create({ email: 'b@example.com', name: 'B', role: 'user' });
    await expect(metadata.users.create({ email: 'b@example.com', name: 'C', role: 'user' })).rejects.toThrow(
      "user 'b@example.com' already exists",
    );
  });

  test.each([
    ['B@example.com', 'b@EXAMPLE.com'],
    ['JÖRG@example.com', 'Jörg@example.com'],
    ['jörg@bücher.example'.normalize('NFC'), 'Jörg@Bücher.example'.normalize('NFD')],
    ['ИРИНА@Пример.example', 'ирина@пример.example'],
  ])('%s is the address %s', async (email, again) => {
    const { id } = await metadata.users.create({ email, name: 'B', role: 'user' });
    await expect(metadata.users.create({ email: again, name: 'C', role: 'user' })).rejects.toThrow('already exists');
    expect(await metadata.users.get(id)).toMatchObject({ email });
  });

  test('addresses that differ in a letter are those of two users', async () => {
    for (const email of ['strasse@example.com', 'straße@example.com', 'jorg@example.com', 'jörg@example.com'])
      await metadata.users.create({ email, name: 'B', role: 'user' });
    expect(await metadata.users.list()).toHaveLength(4);
  });

  test('personal tokens go with their user, API tokens stay', async () => {
    await metadata.users.owner();
    const { id } = await metadata.users.create({ email: 'b@example.com', name: 'B', role: 'user' });
    const personal = await metadata.tokens.create({ kind: 'personal', name: 'p', userId: id });
    const api = await metadata.tokens.create({ kind: 'api', name: 'a', userId: id });
    await metadata.users.delete(id);
    expect(await metadata.tokens.findBySecret(personal.secret)).toBeUndefined();
    expect(await metadata.tokens.findBySecret(api.secret)).toMatchObject({ name: 'a' });
  });

  test('the organization is created once and can be renamed', async () => {
    const org = await metadata.org.get();
    expect(await metadata.org.get()).toEqual(org);
    expect(await metadata.org.rename('Ours')).toMatchObject({ id: org.id, name: 'Ours' });
  });

  test('the owner’s token is shown before it works, and made once', async () => {
    const first = await ownerToken(metadata, undefined);
    expect(await metadata.tokens.findBySecret(first!.secret)).toBeUndefined();
    // A crash here loses nothing, because the next start shows another one.
    const second = await ownerToken(metadata, undefined);
    expect(second!.secret).not.toBe(first!.secret);
    await second!.keep();
    expect(await metadata.tokens.findBySecret(second!.secret)).toMatchObject({ kind: 'personal', id: 'owner' });
    expect(await ownerToken(metadata, undefined)).toBeUndefined();
  });

  test('the token of the settings takes the place of the one before, and is not shown', async () => {
    const [a, b] = ['xapt-00000000-0000-4000-8000-00000000000a', 'xapt-00000000-0000-4000-8000-00000000000b'];
    for (const secret of [a, a, b]) expect(await ownerToken(metadata, secret)).toBeUndefined();
    expect(await metadata.tokens.findBySecret(a)).toBeUndefined();
    expect(await metadata.tokens.findBySecret(b)).toBeDefined();
    expect(await metadata.tokens.list('personal')).toHaveLength(1);
  });
});
