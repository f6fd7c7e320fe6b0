import type { Principal } from '@millrace/http/access/authorize';
import { checkGrant } from '@millrace/http/access/grant';
import { builtInRole } from '@millrace/http/access/roles';
import type { Route } from '@millrace/http/route';
import { Group, WriteGroup } from '@millrace/api/schemas/user';
import { collectionRoutes } from '../collection-routes.js';
import type { Deps } from '../deps.js';
import { rbacNeed } from './roles.js';

const groupFrom = ({ name, description = '', members = [], roles = [] }: WriteGroup): Omit<Group, 'id'> => ({
  name,
  description,
  members,
  roles,
  isManaged: false,
});

export function groupRoutes({ metadata: { users, roles, groups } }: Deps): readonly Route[] {
  /** A user who grants roles must have their rights. */
  const checkMayGive = async (principal: Principal, { roles: ids }: Pick<Group, 'roles'>): Promise<void> => {
    for (const id of ids) checkGrant(principal, builtInRole(id)?.capabilities ?? (await roles.get(id)));
  };
  /** A user who revokes roles must have their rights. A deleted role has none. */
  const checkMayTake = async (principal: Principal, { roles: ids }: Group): Promise<void> => {
    for (const id of ids) checkGrant(principal, builtInRole(id)?.capabilities ?? (await roles.find('id', id)) ?? {});
  };

  return collectionRoutes({
    tag: 'Groups',
    path: '/v2/rbac/groups',
    operations: { one: 'Group', many: 'Groups' },
    nouns: { one: 'group', many: 'groups' },
    schema: Group,
    need: rbacNeed,
    id: 'group_5f2b7c1e9a4d3b6c8e0f1a2b',
    list: {
      found: 'All groups.',
      example: { summary: 'All groups' },
      handle: () => groups.list(),
    },
    create: {
      description: 'Its roles may not have rights that the caller lacks.',
      body: WriteGroup,
      errors: ['already-exists', 'not-found'],
      example: { summary: 'A group of readers', body: { name: 'guests', roles: ['read-only'] } },
      changesRights: true,
      handle: async ({ body, principal }) => {
        const group = groupFrom(body);
        await checkMayGive(principal, group);
        await users.requireAll(group.members);
        return groups.create(group);
      },
    },
    get: { handle: ({ params: { id } }) => groups.get(id) },
    update: {
      description: 'Neither the old nor the new roles may have rights that the caller lacks.',
      body: WriteGroup,
      errors: ['already-exists'],
      example: { summary: 'Rename', body: { name: 'visitors', roles: ['read-only'] } },
      changesRights: true,
      handle: async ({ params: { id }, body, principal }) => {
        const group = groupFrom(body);
        await checkMayTake(principal, await groups.get(id));
        await checkMayGive(principal, group);
        await users.requireAll(group.members);
        return groups.update(id, ({ isManaged }) => ({ ...group, isManaged, id }));
      },
    },
    delete: {
      description: 'Its roles may not have rights that the caller lacks.',
      changesRights: true,
      handle: async ({ params: { id }, principal }) => {
        await checkMayTake(principal, await groups.get(id));
        await groups.delete(id);
      },
    },
  });
}
