import type { User } from '@millrace/api/schemas/user';
import { builtInRole } from '@millrace/http/access/roles';
import type { Metadata } from '@millrace/metadata/metadata';
import type { UserRecord } from '@millrace/metadata/users';

type Roles = Metadata['roles'];

/** A user as the API returns it. */
export const userView = async (user: UserRecord, roles: Roles): Promise<User> =>
  viewWithRole(user, (await roles.find('id', user.role))?.name);

/** Users as the API returns them. */
export async function userViews(users: readonly UserRecord[], roles: Roles): Promise<readonly User[]> {
  const roleNames = new Map((await roles.list()).map(({ id, name }) => [id, name]));
  return users.map((user) => viewWithRole(user, roleNames.get(user.role)));
}

/** @param customRole name of the role, unless it is built in or deleted */
function viewWithRole({ id, name, email, role }: UserRecord, customRole: string | undefined): User {
  const roleName = builtInRole(role)?.name ?? customRole;
  // A deleted role grants no rights, which `none` expresses.
  return {
    id,
    name,
    email,
    role: roleName === undefined ? { id: 'none', name: 'none' } : { id: role, name: roleName },
  };
}
