import { Type } from 'typebox';
import { type Capabilities, orgResources } from '@millrace/api/schemas/capabilities';
import { checkGrant, checkGrantOfUser } from '@millrace/http/access/grant';
import { monitorsOf, orphanMonitors } from '@millrace/alerts/orphan-monitors';
import { userIdOf } from '@millrace/http/access/identity';
import { builtInRole } from '@millrace/http/access/roles';
import { reassignDashboards } from '../../dashboards/reassign.js';
import { httpError } from '@millrace/api/errors';
import { forgetUser } from '@millrace/metadata/memberships';
import type { UserRecord } from '@millrace/metadata/users';
import { IdParameter } from '@millrace/api/schemas/parts';
import { CreateUser, UpdateUser, UpdateUserRole, User, UserV1 } from '@millrace/api/schemas/user';
import type { Deps } from '../deps.js';
import { longList } from '@millrace/http/body/json-stream';
import { empty, json, route, type Route } from '@millrace/http/route';

const tag = 'Users';
const params = { id: 'usr_5f2b7c1e9a4d3b6c8e0f1a2b' };
const example = { email: 'grace@example.com', name: 'Grace', role: 'user' };

/**
 * The user as the API returns it.
 * @param made the name of the role, if it is not built in
 */
function viewOf({ id, name, email, role }: UserRecord, made: string | undefined): User {
  const called = builtInRole(role)?.name ?? made;
  // A deleted role grants no rights, which `none` expresses.
  return { id, name, email, role: called === undefined ? { id: 'none', name: 'none' } : { id: role, name: called } };
}

export function userRoutes({ metadata }: Deps): readonly Route[] {
  const { users, roles, starredQueries } = metadata;

  /** Names of the custom roles. */
  const roleNames = async (): Promise<ReadonlyMap<string, string>> =>
    new Map((await roles.list()).map(({ id, name }) => [id, name]));
  const view = async (user: UserRecord): Promise<User> => viewOf(user, (await roles.find('id', user.role))?.name);

  /** Id and capabilities of the role that a request names by id or name. */
  const roleNamed = async (idOrName: string): Promise<{ readonly id: string; readonly capabilities: Capabilities }> => {
    const builtIn = builtInRole(idOrName);
    if (builtIn !== undefined) return builtIn;
    const made = (await roles.find('id', idOrName)) ?? (await roles.find('unique_key', idOrName));
    if (made === undefined) throw httpError('not-found', { kind: 'role', name: idOrName });
    return { id: made.id, capabilities: made };
  };

  return [
    route({
      method: 'GET',
      path: '/v2/user',
      operation: 'getCurrentUser',
      tag,
      summary: 'Get the current user',
      description: 'For an API token, the user who created it.',
      need: { scope: 'login' },
      request: {},
      responses: { 200: { description: 'The user.', schema: User } },
      errors: ['not-found'],
      examples: [{ summary: 'Who am I' }],
      handle: async ({ principal }) => json(await view(await users.get(userIdOf(principal)))),
    }),
    route({
      method: 'PUT',
      path: '/v2/user',
      operation: 'updateCurrentUser',
      tag,
      summary: 'Change your own name',
      description: 'Needs a personal token.',
      need: { scope: 'login' },
      request: { body: UpdateUser },
      responses: { 200: { description: 'The user as it is now.', schema: User } },
      errors: ['not-found', 'protected-resource'],
      examples: [{ summary: 'Rename', body: { name: 'Grace H.' } }],
      handle: async ({ body, principal }) => {
        if (principal.kind !== 'personal-token') {
          throw httpError('protected-resource', { reason: 'an API token cannot change the user who made it' });
        }
        return json(await view(await users.update(principal.userId, body)));
      },
    }),
    route({
      method: 'GET',
      path: '/v1/user',
      operation: 'getCurrentUserV1',
      tag,
      summary: 'Get the current user (version 1)',
      need: { scope: 'login' },
      request: {},
      responses: { 200: { description: 'The user, with the names of the token’s rights.', schema: UserV1 } },
      errors: ['not-found'],
      examples: [{ summary: 'Who am I' }],
      handle: async ({ principal, may }) => {
        const { id, name, email, role } = await view(await users.get(userIdOf(principal)));
        const permissions = [
          ...(may({ scope: 'dataset', resource: 'ingest', action: 'create' }) ? ['CanIngest'] : []),
          ...(may({ scope: 'dataset', resource: 'query', action: 'read' }) ? ['CanQuery'] : []),
          ...(orgResources.datasets.every((action) => may({ scope: 'org', resource: 'datasets', action }))
            ? ['ManageDatasets']
            : []),
        ];
        return json({ id, name, email, emails: [email], role: role.name, permissions });
      },
    }),
    route({
      method: 'GET',
      path: '/v2/users',
      operation: 'listUsers',
      tag,
      summary: 'List users',
      need: { scope: 'org', resource: 'users', action: 'read' },
      request: {},
      responses: { 200: { description: 'All users.', schema: Type.Array(User) } },
      examples: [{ summary: 'All users' }],
      handle: async () => {
        const named = await roleNames();
        return longList((await users.list()).map((user) => viewOf(user, named.get(user.role))));
      },
    }),
    route({
      method: 'POST',
      path: '/v2/users',
      operation: 'createUser',
      tag,
      summary: 'Create a user',
      description: 'The user cannot sign in until a personal token is created.',
      need: { scope: 'org', resource: 'users', action: 'create' },
      request: { body: CreateUser },
      responses: { 200: { description: 'The new user.', schema: User } },
      errors: ['already-exists', 'not-found'],
      examples: [{ summary: 'A user', body: example }],
      changesRights: true,
      handle: async ({ body: { email, name, role }, principal }) => {
        const { id, capabilities } = await roleNamed(role);
        checkGrant(principal, capabilities);
        return json(await view(await users.create({ email, name, role: id })));
      },
    }),
    route({
      method: 'GET',
      path: '/v2/users/{id}',
      operation: 'getUser',
      tag,
      summary: 'Get a user',
      need: { scope: 'org', resource: 'users', action: 'read' },
      request: { params: IdParameter },
      responses: { 200: { description: 'The user.', schema: User } },
      errors: ['not-found'],
      examples: [{ summary: 'One user', params }],
      handle: async ({ params: { id } }) => json(await view(await users.get(id))),
    }),
    route({
      method: 'PUT',
      path: '/v2/users/{id}',
      operation: 'updateUser',
      tag,
      summary: 'Change the name of a user',
      description: 'The user may not have rights that you lack.',
      need: { scope: 'org', resource: 'users', action: 'update' },
      request: { params: IdParameter, body: UpdateUser },
      responses: { 200: { description: 'The user as it is now.', schema: User } },
      errors: ['not-found'],
      examples: [{ summary: 'Rename', params, body: { name: 'Grace H.' } }],
      handle: async ({ params: { id }, body, principal }) => {
        const isSelf = principal.kind === 'personal-token' && principal.userId === id;
        if (!isSelf) await checkGrantOfUser(principal, await users.get(id), metadata);
        return json(await view(await users.update(id, body)));
      },
    }),
    route({
      method: 'PUT',
      path: '/v2/users/{id}/role',
      operation: 'updateUserRole',
      tag,
      summary: 'Change the role of a user',
      description:
        'Neither the old nor the new role may have rights that the caller lacks. The last owner keeps the role.',
      need: { scope: 'org', resource: 'users', action: 'update' },
      request: { params: IdParameter, body: UpdateUserRole },
      responses: { 200: { description: 'The user as it is now.', schema: User } },
      errors: ['not-found', 'protected-resource'],
      examples: [{ summary: 'Make an admin', params, body: { role: 'admin' } }],
      changesRights: true,
      handle: async ({ params: { id }, body: { role }, principal }) => {
        const next = await roleNamed(role);
        await checkGrantOfUser(principal, await users.get(id), metadata);
        checkGrant(principal, next.capabilities);
        return json(await view(await users.update(id, { role: next.id })));
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/users/{id}',
      operation: 'deleteUser',
      tag,
      summary: 'Remove a user and the user’s personal tokens',
      description:
        'Deletes the user’s private saved queries, makes private dashboards public, and disables monitors that the user wrote last.',
      need: { scope: 'org', resource: 'users', action: 'delete' },
      request: { params: IdParameter },
      responses: { 204: { description: 'User removed.' } },
      errors: ['not-found', 'protected-resource'],
      examples: [{ summary: 'Remove', params }],
      changesRights: true,
      handle: async ({ params: { id }, principal, log }) => {
        await checkGrantOfUser(principal, await users.get(id), metadata);
        const author = userIdOf(principal);
        await users.requireRemovable(id);
        await reassignDashboards(metadata.dashboards, id, author);
        // No other user could read or delete them, and they would count toward the quota.
        const own = (await starredQueries.list()).filter(({ who, dataset }) => who === id && dataset === '');
        const orphans = await monitorsOf(metadata, id);
        const removed = users.delete(id, async (connection) => {
          await reassignDashboards(metadata.dashboards, id, author, connection);
          const ids = own.map((query) => query.id);
          await starredQueries.deleteAll(ids, connection);
          await orphanMonitors(metadata, { ids: orphans, userId: id }, connection);
        });
        await removed.finally(() => {
          starredQueries.written();
          metadata.monitors.written();
        });
        for (const monitor of orphans)
          log.warn(
            { monitor, user: id },
            'monitor disabled because the user who wrote it was removed; save it again to run it',
          );
        await forgetUser(metadata, id);
        return empty();
      },
    }),
  ];
}
