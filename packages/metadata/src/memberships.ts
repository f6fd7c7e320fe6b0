import type { Metadata } from './metadata.js';

/**
 * Removes deleted users and roles from roles and groups. A crash before that leaves an ID that
 * grants no right.
 */

type Lists = Pick<Metadata, 'roles' | 'groups'>;

/** Removes a deleted user from all roles and groups. */
export async function forgetUser({ roles, groups }: Lists, id: string): Promise<void> {
  const without = <T extends { readonly members: readonly string[] }>(holder: T): T => ({
    ...holder,
    members: holder.members.filter((member) => member !== id),
  });
  for (const role of await roles.list()) if (role.members.includes(id)) await roles.update(role.id, without);
  for (const group of await groups.list()) if (group.members.includes(id)) await groups.update(group.id, without);
}

/** Removes a deleted role from all groups. */
export async function forgetRole({ groups }: Lists, id: string): Promise<void> {
  for (const group of await groups.list()) {
    if (!group.roles.includes(id)) continue;
    await groups.update(group.id, (present) => ({ ...present, roles: present.roles.filter((role) => role !== id) }));
  }
}
