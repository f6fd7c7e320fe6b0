import type { Capabilities } from '../access/capabilities.js';
import { builtInRole } from '../access/roles.js';
import type { Group, Role } from '../schemas/user.js';
import type { Collection } from './collection.js';
import type { UserRecord } from './users.js';

/** Everything a user may do: by the user's own role, by roles that list the user, and by the roles of groups that list the user. */
export async function capabilitiesOf(
  user: UserRecord,
  roles: Collection<Role>,
  groups: Collection<Group>,
): Promise<readonly Capabilities[]> {
  const byGroups = (await groups.list())
    .filter(({ members }) => members.includes(user.id))
    .flatMap(({ roles }) => roles);
  const ids = new Set([user.role, ...byGroups]);
  const made = (await roles.list()).filter(({ id, members }) => ids.has(id) || members.includes(user.id));
  const builtIn = [...ids].map(builtInRole).filter((role) => role !== undefined);
  return [...builtIn.map(({ capabilities }) => capabilities), ...made];
}
