import type { Metadata } from '@millrace/metadata/metadata';
import type { UserRecord } from '@millrace/metadata/users';
import type { Capabilities } from '@millrace/api/schemas/capabilities';
import { builtInRole } from './roles.js';

/**
 * Everything a user may do: by the user's own role, by roles that list the user, and by the roles
 * of groups that list the user.
 */
export async function capabilitiesOf(
  user: UserRecord,
  { roles, groups }: Pick<Metadata, 'roles' | 'groups'>,
): Promise<readonly Capabilities[]> {
  const byGroups = (await groups.list())
    .filter(({ members }) => members.includes(user.id))
    .flatMap(({ roles }) => roles);
  const ids = new Set([user.role, ...byGroups]);
  const made = (await roles.list()).filter(({ id, members }) => ids.has(id) || members.includes(user.id));
  const builtIn = [...ids].map(builtInRole).filter((role) => role !== undefined);
  return [...builtIn.map(({ capabilities }) => capabilities), ...made];
}
