import { Type } from 'typebox';
import type { Principal } from '../access/allowed.js';
import { checkGrant } from '../access/grant.js';
import { type BuiltInRole, builtInRole, builtInRoles } from '../access/roles.js';
import { httpError } from '../errors.js';
import { forgetRole } from '../metadata/memberships.js';
import { IdParameter } from '../schemas/parts.js';
import { Group, Role, WriteGroup, WriteRole } from '../schemas/user.js';
import type { Deps } from './deps.js';
import { empty, json, route, type Route } from '../http/route.js';

const roleTag = 'Roles';
const groupTag = 'Groups';
const roleParams = { id: 'role_5f2b7c1e9a4d3b6c8e0f1a2b' };
const groupParams = { id: 'group_5f2b7c1e9a4d3b6c8e0f1a2b' };
const read = { scope: 'org', resource: 'rbac', action: 'read' } as const;
// The interface asks for `create` for changes and deletions too.
const write = { scope: 'org', resource: 'rbac', action: 'create' } as const;

const builtInView = ({ id, name, description, capabilities }: BuiltInRole): Role => ({
  id,
  name,
  description,
  members: [],
  ...capabilities,
});

const roleFrom = ({
  name,
  description = '',
  members = [],
  datasetCapabilities = {},
  orgCapabilities = {},
  viewCapabilities = {},
}: WriteRole): Omit<Role, 'id'> => ({
  name,
  description,
  members,
  datasetCapabilities,
  orgCapabilities,
  viewCapabilities,
});

const groupFrom = ({ name, description = '', members = [], roles = [] }: WriteGroup): Omit<Group, 'id'> => ({
  name,
  description,
  members,
  roles,
  isManaged: false,
});

export function rbacRoutes({ metadata }: Deps): readonly Route[] {
  const { users, roles, groups } = metadata;

  const checkMembers = async (members: readonly string[]): Promise<void> => {
    for (const id of members) await users.get(id);
  };
  /** Those who take rights away from others must hold these rights themselves. A role that has been deleted gives none. */
  const checkMayTake = async (principal: Principal, { roles: ids }: Group): Promise<void> => {
    for (const id of ids) checkGrant(principal, builtInRole(id)?.capabilities ?? (await roles.find('id', id)) ?? {});
  };
  const capabilitiesOfRole = async (id: string) => builtInRole(id)?.capabilities ?? roles.get(id);
  const refuseBuiltIn = (id: string): void => {
    if (builtInRole(id) !== undefined)
      throw httpError('protected-resource', { reason: `the role '${id}' is built in` });
  };
  const refuseBuiltInName = (name: string): void => {
    if (builtInRole(name) !== undefined) throw httpError('already-exists', { kind: 'role', name });
  };

  return [
    route({
      method: 'GET',
      path: '/v2/rbac/roles',
      operation: 'listRoles',
      tag: roleTag,
      summary: 'List roles',
      description: 'The built-in roles first; they list no members.',
      need: read,
      request: {},
      responses: { 200: { description: 'All roles.', schema: Type.Array(Role) } },
      examples: [{ summary: 'All roles' }],
      handle: async () => json([...builtInRoles.map(builtInView), ...(await roles.list())]),
    }),
    route({
      method: 'POST',
      path: '/v2/rbac/roles',
      operation: 'createRole',
      tag: roleTag,
      summary: 'Create a role',
      description: 'The role can have no right its creator lacks.',
      need: write,
      request: { body: WriteRole },
      responses: { 200: { description: 'The new role.', schema: Role } },
      errors: ['already-exists', 'not-found'],
      examples: [
        {
          summary: 'May look at the logs',
          body: { name: 'log readers', datasetCapabilities: { 'http-logs': { query: ['read'] } } },
        },
      ],
      changesRights: true,
      handle: async ({ body, principal }) => {
        const role = roleFrom(body);
        checkGrant(principal, role);
        refuseBuiltInName(role.name);
        await checkMembers(role.members);
        const made = await roles.create(role);
        return json(made);
      },
    }),
    route({
      method: 'GET',
      path: '/v2/rbac/roles/{id}',
      operation: 'getRole',
      tag: roleTag,
      summary: 'Get a role',
      need: read,
      request: { params: IdParameter },
      responses: { 200: { description: 'The role.', schema: Role } },
      errors: ['not-found'],
      examples: [{ summary: 'One role', params: roleParams }],
      handle: async ({ params: { id } }) => {
        const builtIn = builtInRole(id);
        return json(builtIn === undefined ? await roles.get(id) : builtInView(builtIn));
      },
    }),
    route({
      method: 'PUT',
      path: '/v2/rbac/roles/{id}',
      operation: 'updateRole',
      tag: roleTag,
      summary: 'Replace a role',
      need: write,
      request: { params: IdParameter, body: WriteRole },
      responses: { 200: { description: 'The role as it is now.', schema: Role } },
      errors: ['not-found', 'already-exists', 'protected-resource'],
      examples: [{ summary: 'Rename', params: roleParams, body: { name: 'readers' } }],
      changesRights: true,
      handle: async ({ params: { id }, body, principal }) => {
        refuseBuiltIn(id);
        const role = roleFrom(body);
        checkGrant(principal, role);
        checkGrant(principal, await roles.get(id));
        refuseBuiltInName(role.name);
        await checkMembers(role.members);
        const changed = await roles.update(id, () => ({ ...role, id }));
        return json(changed);
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/rbac/roles/{id}',
      operation: 'deleteRole',
      tag: roleTag,
      summary: 'Delete a role',
      description: 'Users and groups with the role lose its rights. It may have no right the caller lacks.',
      need: write,
      request: { params: IdParameter },
      responses: { 204: { description: 'It is gone.' } },
      errors: ['not-found', 'protected-resource'],
      examples: [{ summary: 'Delete', params: roleParams }],
      changesRights: true,
      handle: async ({ params: { id }, principal }) => {
        refuseBuiltIn(id);
        checkGrant(principal, await roles.get(id));
        await roles.delete(id);
        await forgetRole({ roles, groups }, id);
        return empty();
      },
    }),
    route({
      method: 'GET',
      path: '/v2/rbac/groups',
      operation: 'listGroups',
      tag: groupTag,
      summary: 'List groups',
      need: read,
      request: {},
      responses: { 200: { description: 'All groups.', schema: Type.Array(Group) } },
      examples: [{ summary: 'All groups' }],
      handle: async () => json(await groups.list()),
    }),
    route({
      method: 'POST',
      path: '/v2/rbac/groups',
      operation: 'createGroup',
      tag: groupTag,
      summary: 'Create a group',
      description: 'Its roles can have no right the caller lacks.',
      need: write,
      request: { body: WriteGroup },
      responses: { 200: { description: 'The new group.', schema: Group } },
      errors: ['already-exists', 'not-found'],
      examples: [{ summary: 'A group of readers', body: { name: 'guests', roles: ['read-only'] } }],
      changesRights: true,
      handle: async ({ body, principal }) => {
        const group = groupFrom(body);
        for (const id of group.roles) checkGrant(principal, await capabilitiesOfRole(id));
        await checkMembers(group.members);
        const made = await groups.create(group);
        return json(made);
      },
    }),
    route({
      method: 'GET',
      path: '/v2/rbac/groups/{id}',
      operation: 'getGroup',
      tag: groupTag,
      summary: 'Get a group',
      need: read,
      request: { params: IdParameter },
      responses: { 200: { description: 'The group.', schema: Group } },
      errors: ['not-found'],
      examples: [{ summary: 'One group', params: groupParams }],
      handle: async ({ params: { id } }) => json(await groups.get(id)),
    }),
    route({
      method: 'PUT',
      path: '/v2/rbac/groups/{id}',
      operation: 'updateGroup',
      tag: groupTag,
      summary: 'Replace a group',
      description: 'Neither the old nor the new roles may have a right the caller lacks.',
      need: write,
      request: { params: IdParameter, body: WriteGroup },
      responses: { 200: { description: 'The group as it is now.', schema: Group } },
      errors: ['not-found', 'already-exists'],
      examples: [{ summary: 'Rename', params: groupParams, body: { name: 'visitors', roles: ['read-only'] } }],
      changesRights: true,
      handle: async ({ params: { id }, body, principal }) => {
        const group = groupFrom(body);
        await checkMayTake(principal, await groups.get(id));
        for (const role of group.roles) checkGrant(principal, await capabilitiesOfRole(role));
        await checkMembers(group.members);
        const changed = await groups.update(id, () => ({ ...group, id }));
        return json(changed);
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/rbac/groups/{id}',
      operation: 'deleteGroup',
      tag: groupTag,
      summary: 'Delete a group',
      description: 'Its roles may have no right the caller lacks.',
      need: write,
      request: { params: IdParameter },
      responses: { 204: { description: 'It is gone.' } },
      errors: ['not-found'],
      examples: [{ summary: 'Delete', params: groupParams }],
      changesRights: true,
      handle: async ({ params: { id }, principal }) => {
        await checkMayTake(principal, await groups.get(id));
        await groups.delete(id);
        return empty();
      },
    }),
  ];
}
