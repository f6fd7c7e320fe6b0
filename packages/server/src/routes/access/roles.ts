import { checkGrant } from '@millrace/http/access/grant';
import { confusableSkeleton } from '@millrace/http/access/confusables';
import { type BuiltInRole, builtInRole, builtInRoles } from '@millrace/http/access/roles';
import { httpError } from '@millrace/api/errors';
import type { Route, RouteNeed } from '@millrace/http/route';
import { forgetRole } from '@millrace/metadata/memberships';
import { Role, WriteRole } from '@millrace/api/schemas/user';
import { collectionRoutes } from '../collection-routes.js';
import type { Deps } from '../deps.js';

/**
 * The right that a route of roles or groups needs. In the interface that is `create` for changes
 * and deletions too.
 */
export const rbacNeed = (action: 'create' | 'read' | 'update' | 'delete'): RouteNeed => ({
  scope: 'org',
  resource: 'rbac',
  action: action === 'read' ? 'read' : 'create',
});

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

export function roleRoutes({ metadata: { users, roles, groups } }: Deps): readonly Route[] {
  const refuseBuiltIn = (id: string): void => {
    if (builtInRole(id) !== undefined)
      throw httpError('protected-resource', { reason: `the role '${id}' is built in` });
  };
  const refuseBuiltInName = (name: string): void => {
    // In any spelling: a role whose name looks like a built-in one would be mistaken for it.
    if (builtInRole(confusableSkeleton(name)) !== undefined) throw httpError('already-exists', { kind: 'role', name });
  };

  return collectionRoutes({
    tag: 'Roles',
    path: '/v2/rbac/roles',
    operations: { one: 'Role', many: 'Roles' },
    nouns: { one: 'role', many: 'roles' },
    schema: Role,
    need: rbacNeed,
    id: 'role_5f2b7c1e9a4d3b6c8e0f1a2b',
    list: {
      description: 'The built-in roles first; they list no members.',
      found: 'All roles.',
      example: { summary: 'All roles' },
      handle: async () => [...builtInRoles.map(builtInView), ...(await roles.list())],
    },
    create: {
      description: 'Capabilities are limited to those of the caller.',
      body: WriteRole,
      errors: ['already-exists', 'not-found'],
      example: {
        summary: 'May look at the logs',
        body: { name: 'log readers', datasetCapabilities: { 'http-logs': { query: ['read'] } } },
      },
      changesRights: true,
      handle: async ({ body, principal }) => {
        const role = roleFrom(body);
        checkGrant(principal, role);
        refuseBuiltInName(role.name);
        await users.requireAll(role.members);
        return roles.create(role);
      },
    },
    get: {
      handle: async ({ params: { id } }) => {
        const builtIn = builtInRole(id);
        return builtIn === undefined ? roles.get(id) : builtInView(builtIn);
      },
    },
    update: {
      description:
        'Neither the old nor the new role may have rights that the caller lacks. An omitted `members` keeps the members; other omitted properties are removed.',
      body: WriteRole,
      errors: ['already-exists', 'protected-resource'],
      example: { summary: 'Rename', body: { name: 'readers' } },
      changesRights: true,
      handle: async ({ params: { id }, body, principal }) => {
        refuseBuiltIn(id);
        const present = await roles.get(id);
        // Clients for Go, and so Terraform, have no way to send them.
        const role = { ...roleFrom(body), members: body.members ?? present.members };
        checkGrant(principal, role);
        checkGrant(principal, present);
        refuseBuiltInName(role.name);
        await users.requireAll(role.members);
        return roles.update(id, () => ({ ...role, id }));
      },
    },
    delete: {
      description: 'Users and groups with the role lose its rights. It may not have rights that the caller lacks.',
      errors: ['protected-resource'],
      changesRights: true,
      handle: async ({ params: { id }, principal }) => {
        refuseBuiltIn(id);
        checkGrant(principal, await roles.get(id));
        await roles.delete(id);
        await forgetRole({ roles, groups }, id);
      },
    },
  });
}
