import { Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { userIdOf } from '@millrace/http/access/identity';
import { route, type RequestContext, type Route } from '@millrace/http/route';
import type { UserRecord } from '@millrace/metadata/users';
import { addressOf } from '@millrace/metadata/users';
import type { Deps } from '../routes/deps.js';
import { removeUser } from '../routes/access/remove-user.js';
import { objectIn } from './scim-body.js';
import { filterIn, listResponse, type ScimFilter } from './scim-list.js';
import { changesIn } from './scim-patch.js';
import { documentedResponses, IdParam, ListQuery, needOf, noContent, scim, scimRoute, writes } from './scim-route.js';
import { patchedUser, type ScimUser, scimUserView, userIn } from './scim-user.js';

const path = '/scim/v2/Users';

/** Users that a provider pushes. Owners come and go by hand: SCIM changes none. */
export function scimUserRoutes({ metadata }: Deps): readonly Route[] {
  const { users, groups } = metadata;
  const view = async (user: UserRecord): Promise<object> =>
    scimUserView(
      user,
      (await groups.list()).filter(({ members }) => members.includes(user.id)),
    );
  const changeable = async (id: string): Promise<UserRecord> => {
    const user = await users.get(id);
    if (user.role === 'owner') throw httpError('protected-resource', { reason: 'owners are not managed by SCIM' });
    return user;
  };
  const write = async (id: string, { email, name, active, provisioned }: ScimUser): Promise<UserRecord> =>
    users.provision(id, { email, name, active, provisioned });

  return [
    route({
      ...scimRoute,
      method: 'GET',
      path,
      operation: 'scimListUsers',
      summary: 'List users',
      need: needOf('read'),
      request: { query: ListQuery },
      responses: documentedResponses,
      handle: async ({ query }) => {
        const filter = filterIn(query.filter);
        const found = (await users.list()).filter((user) => filter === undefined || isMeant(user, filter));
        return scim(await listResponse(found, query, view));
      },
    }),
    route({
      ...scimRoute,
      ...writes,
      method: 'POST',
      path,
      operation: 'scimCreateUser',
      summary: 'Create a user',
      need: needOf('create'),
      request: { body: Type.Unknown() },
      responses: { 201: documentedResponses[200] },
      errors: ['already-exists'],
      handle: async ({ body }) => {
        const user = userIn(objectIn(body));
        await requireFreeName(user);
        const { email, name } = user;
        const { id } = await users.create({ email, name, role: 'none' });
        return scim(await view(await write(id, user)), 201);
      },
    }),
    route({
      ...scimRoute,
      method: 'GET',
      path: `${path}/{id}`,
      operation: 'scimGetUser',
      summary: 'Get a user',
      need: needOf('read'),
      request: { params: IdParam },
      responses: documentedResponses,
      errors: ['not-found'],
      handle: async ({ params: { id } }) => scim(await view(await users.get(id))),
    }),
    route({
      ...scimRoute,
      ...writes,
      method: 'PUT',
      path: `${path}/{id}`,
      operation: 'scimReplaceUser',
      summary: 'Replace a user',
      need: needOf('update'),
      request: { params: IdParam, body: Type.Unknown() },
      responses: documentedResponses,
      errors: ['not-found', 'already-exists', 'protected-resource'],
      handle: ({ params: { id }, body }) => update(id, () => userIn(objectIn(body))),
    }),
    route({
      ...scimRoute,
      ...writes,
      method: 'PATCH',
      path: `${path}/{id}`,
      operation: 'scimPatchUser',
      summary: 'Change a user',
      need: needOf('update'),
      request: { params: IdParam, body: Type.Unknown() },
      responses: documentedResponses,
      errors: ['not-found', 'already-exists', 'protected-resource'],
      handle: ({ params: { id }, body }) => update(id, (user) => patchedUser(user, changesIn(body))),
    }),
    route({
      ...scimRoute,
      ...writes,
      method: 'DELETE',
      path: `${path}/{id}`,
      operation: 'scimDeleteUser',
      summary: 'Remove a user',
      need: needOf('delete'),
      request: { params: IdParam },
      responses: { 204: { description: 'Removed.' } },
      errors: ['not-found', 'protected-resource'],
      handle: async ({ params: { id }, principal, log }: RequestContext<{ params: typeof IdParam }>) => {
        await changeable(id);
        await removeUser({ id, author: userIdOf(principal) }, metadata, log);
        return noContent();
      },
    }),
  ];

  async function update(id: string, next: (user: UserRecord) => ScimUser) {
    const wanted = next(await changeable(id));
    await requireFreeName(wanted, id);
    return scim(await view(await write(id, wanted)));
  }

  async function requireFreeName({ userName }: ScimUser, own?: string): Promise<void> {
    const taken = (await users.list()).some(
      (user) => user.id !== own && addressOf(user.provisioned?.userName ?? user.email) === addressOf(userName),
    );
    if (taken) throw httpError('already-exists', { kind: 'user', name: userName });
  }
}

function isMeant({ id, email, provisioned = {}, deactivated }: UserRecord, { attribute, value }: ScimFilter): boolean {
  switch (attribute) {
    case 'username':
      return addressOf(provisioned.userName ?? email) === addressOf(value);
    case 'emails':
    case 'emails.value':
      return addressOf(email) === addressOf(value);
    case 'externalid':
      return provisioned.externalId === value;
    case 'id':
      return id === value;
    case 'active':
      return String(deactivated === undefined) === value;
    default:
      throw httpError('invalid-request', { problem: `users are not filtered by '${attribute}'` });
  }
}
