import { Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { requestBounds } from '@millrace/api/limits';
import type { Group } from '@millrace/api/schemas/user';
import { route, type Route } from '@millrace/http/route';
import type { Deps } from '../routes/deps.js';
import { memberOf, objectIn, textOf } from './scim-body.js';
import { filterIn, listResponse, type ScimFilter } from './scim-list.js';
import { changesIn, type ScimChange } from './scim-patch.js';
import { documentedResponses, IdParam, ListQuery, needOf, noContent, scim, scimRoute, writes } from './scim-route.js';

const path = '/scim/v2/Groups';
const maxMembers = requestBounds.scimMembers.max;

/**
 * Groups that a provider pushes. They have no roles until an administrator adds them; groups
 * made by hand are neither shown nor changed.
 */
export function scimGroupRoutes({ metadata }: Deps): readonly Route[] {
  const { users, groups } = metadata;
  const managedGroup = async (id: string): Promise<Group> => {
    const group = await groups.find('id', id);
    if (group?.isManaged !== true) throw httpError('not-found', { kind: 'group', name: id });
    return group;
  };
  const view = async ({ id, name, members }: Group): Promise<object> => {
    const known = new Map((await users.list()).map((user) => [user.id, user.name]));
    return {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id,
      displayName: name,
      members: members.map((member) => ({ value: member, display: known.get(member) ?? '' })),
      meta: { resourceType: 'Group', location: `${path}/${id}` },
    };
  };
  const change = async (id: string, next: (group: Group) => Group): Promise<Group> => {
    const wanted = next(await managedGroup(id));
    await users.requireAll(wanted.members);
    return groups.update(id, () => wanted);
  };

  return [
    route({
      ...scimRoute,
      method: 'GET',
      path,
      operation: 'scimListGroups',
      summary: 'List groups',
      need: needOf('read'),
      request: { query: ListQuery },
      responses: documentedResponses,
      handle: async ({ query }) => {
        const filter = filterIn(query.filter);
        const found = (await groups.list()).filter(
          (group) => group.isManaged && (filter === undefined || isMeant(group, filter)),
        );
        const bare = (query.excludedAttributes ?? '').toLowerCase().split(',').includes('members');
        return scim(await listResponse(found, query, (group) => view(bare ? { ...group, members: [] } : group)));
      },
    }),
    route({
      ...scimRoute,
      ...writes,
      method: 'POST',
      path,
      operation: 'scimCreateGroup',
      summary: 'Create a group',
      need: needOf('create'),
      request: { body: Type.Unknown() },
      responses: { 201: documentedResponses[200] },
      errors: ['already-exists'],
      handle: async ({ body }) => {
        const { name, members } = groupIn(body);
        await users.requireAll(members);
        const group = { name, members, description: '', roles: [], isManaged: true };
        return scim(await view(await groups.create(group)), 201);
      },
    }),
    route({
      ...scimRoute,
      method: 'GET',
      path: `${path}/{id}`,
      operation: 'scimGetGroup',
      summary: 'Get a group',
      need: needOf('read'),
      request: { params: IdParam },
      responses: documentedResponses,
      errors: ['not-found'],
      handle: async ({ params: { id } }) => scim(await view(await managedGroup(id))),
    }),
    route({
      ...scimRoute,
      ...writes,
      method: 'PUT',
      path: `${path}/{id}`,
      operation: 'scimReplaceGroup',
      summary: 'Replace a group',
      need: needOf('update'),
      request: { params: IdParam, body: Type.Unknown() },
      responses: documentedResponses,
      errors: ['not-found', 'already-exists'],
      handle: async ({ params: { id }, body }) =>
        scim(await view(await change(id, (group) => ({ ...group, ...groupIn(body) })))),
    }),
    route({
      ...scimRoute,
      ...writes,
      method: 'PATCH',
      path: `${path}/{id}`,
      operation: 'scimPatchGroup',
      summary: 'Change a group',
      need: needOf('update'),
      request: { params: IdParam, body: Type.Unknown() },
      responses: documentedResponses,
      errors: ['not-found', 'already-exists'],
      handle: async ({ params: { id }, body }) => {
        const changes = changesIn(body);
        return scim(await view(await change(id, (group) => changes.reduce(patchGroup, group))));
      },
    }),
    route({
      ...scimRoute,
      ...writes,
      method: 'DELETE',
      path: `${path}/{id}`,
      operation: 'scimDeleteGroup',
      summary: 'Delete a group',
      need: needOf('delete'),
      request: { params: IdParam },
      responses: { 204: { description: 'Deleted.' } },
      errors: ['not-found'],
      handle: async ({ params: { id } }) => {
        await managedGroup(id);
        await groups.delete(id);
        return noContent();
      },
    }),
  ];
}

function groupIn(body: unknown): Pick<Group, 'name' | 'members'> {
  const name = nameOf(memberOf(objectIn(body), 'displayName'));
  return { name, members: membersIn(memberOf(body, 'members') ?? []) };
}

function nameOf(value: unknown): string {
  const name = textOf(value, 'displayName') ?? '';
  if (name === '' || name.length > 128)
    throw httpError('invalid-request', { problem: "'displayName' must have 1 to 128 characters" });
  return name;
}

function membersIn(value: unknown): string[] {
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const ids = list.map((each) => textOf(memberOf(each, 'value') ?? each, 'members') ?? '');
  return withinBounds([...new Set(ids)]);
}

function withinBounds(members: string[]): string[] {
  if (members.length > maxMembers)
    throw httpError('invalid-request', { problem: `a group has at most ${maxMembers} members` });
  return members;
}

/** A group after one change; attributes that are not stored are left out. */
function patchGroup(group: Group, { op, attribute, filtered, value }: ScimChange): Group {
  if (attribute === 'displayname' && op !== 'remove') return { ...group, name: nameOf(value) };
  if (attribute !== 'members') return group;
  // Without a filter and a value, all members go.
  const named = filtered === undefined ? (value === undefined ? undefined : membersIn(value)) : [filtered];
  if (op === 'remove')
    return { ...group, members: named === undefined ? [] : group.members.filter((id) => !named.includes(id)) };
  return { ...group, members: withinBounds([...new Set([...(op === 'add' ? group.members : []), ...(named ?? [])])]) };
}

function isMeant({ id, name }: Group, { attribute, value }: ScimFilter): boolean {
  if (attribute === 'displayname') return name.toLowerCase() === value.toLowerCase();
  if (attribute === 'id') return id === value;
  // The provider's own ID of a group is not stored, so it finds none.
  if (attribute === 'externalid') return false;
  throw httpError('invalid-request', { problem: `groups are not filtered by '${attribute}'` });
}
