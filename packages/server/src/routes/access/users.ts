import { Type } from 'typebox';
import { checkGrant, checkGrantOfUser } from '@millrace/http/access/grant';
import { userIdOf } from '@millrace/http/access/identity';
import { IdParameter } from '@millrace/api/schemas/parts';
import { CreateUser, UpdateUser, UpdateUserRole, User } from '@millrace/api/schemas/user';
import type { Deps } from '../deps.js';
import { longList } from '@millrace/http/body/json-stream';
import { empty, json, route, type Route } from '@millrace/http/route';
import { getRole } from './get-role.js';
import { removeUser } from './remove-user.js';
import { userView, userViews } from './user-view.js';

const tag = 'Users';
const params = { id: 'usr_5f2b7c1e9a4d3b6c8e0f1a2b' };
const example = { email: 'grace@example.com', name: 'Grace', role: 'user' };

export function userRoutes({ metadata }: Deps): readonly Route[] {
  const { users, roles } = metadata;
  return [
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
      handle: async () => longList(await userViews(await users.list(), roles)),
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
        const { id, capabilities } = await getRole(role, roles);
        checkGrant(principal, capabilities);
        return json(await userView(await users.create({ email, name, role: id }), roles));
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
      handle: async ({ params: { id } }) => json(await userView(await users.get(id), roles)),
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
        return json(await userView(await users.update(id, body), roles));
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
        const next = await getRole(role, roles);
        await checkGrantOfUser(principal, await users.get(id), metadata);
        checkGrant(principal, next.capabilities);
        return json(await userView(await users.update(id, { role: next.id }), roles));
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
        await removeUser({ id, author: userIdOf(principal) }, metadata, log);
        return empty();
      },
    }),
  ];
}
