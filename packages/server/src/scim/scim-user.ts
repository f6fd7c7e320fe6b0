import { httpError } from '@millrace/api/errors';
import type { ProvisionedUser, UserRecord } from '@millrace/metadata/users';
import { booleanOf, memberOf, primaryIn, textOf } from './scim-body.js';
import type { ScimChange } from './scim-patch.js';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** What SCIM may set of a user. */
export interface ScimUser {
  readonly userName: string;
  readonly email: string;
  readonly name: string;
  readonly active: boolean;
  readonly provisioned: ProvisionedUser;
}

type Attributes = Readonly<Record<string, unknown>>;

/** Attributes of a body by their paths in PATCH requests. */
function attributesIn(body: unknown): Attributes {
  const at = (name: string) => memberOf(body, name);
  return {
    username: at('userName'),
    externalid: at('externalId'),
    active: at('active'),
    displayname: at('displayName'),
    'name.formatted': memberOf(at('name'), 'formatted'),
    'name.givenname': memberOf(at('name'), 'givenName'),
    'name.familyname': memberOf(at('name'), 'familyName'),
    'emails.value': primaryIn(at('emails')),
  };
}

/** @throws HttpError `invalid-request` */
export const userIn = (body: unknown): ScimUser => userFrom(attributesIn(body));

/**
 * A user after a PATCH request. Attributes that are not stored are left out, as providers expect.
 * @throws HttpError `invalid-request`
 */
export function patchedUser(user: UserRecord, changes: readonly ScimChange[]): ScimUser {
  const { provisioned = {} } = user;
  const before: Attributes = {
    username: provisioned.userName ?? user.email,
    externalid: provisioned.externalId,
    active: user.deactivated === undefined,
    'name.givenname': provisioned.givenName,
    'name.familyname': provisioned.familyName,
    displayname: user.name,
    'emails.value': user.email,
  };
  const changed = changes.map(({ op, attribute, value }): Attributes => {
    if (op === 'remove') return { [attribute]: undefined };
    if (attribute === 'emails') return { 'emails.value': primaryIn(value) };
    if (attribute === 'name')
      return Object.fromEntries(
        Object.entries(Object(value) as object).map(([name, part]) => [`name.${name.toLowerCase()}`, part as unknown]),
      );
    return { [attribute]: value };
  });
  const after = Object.assign({}, ...changed) as Attributes;
  // A new name in parts replaces the displayed one, unless that comes along.
  const renamed = Object.keys(after).some((name) => name.startsWith('name.')) && !('displayname' in after);
  return userFrom({ ...before, ...(renamed && { displayname: undefined }), ...after });
}

function userFrom(attributes: Attributes): ScimUser {
  const text = (path: string): string | undefined => {
    const found = textOf(attributes[path], path);
    return found === '' ? undefined : found;
  };
  const [givenName, familyName, externalId] = ['name.givenname', 'name.familyname', 'externalid'].map(text);
  const userName = text('username');
  if (userName === undefined) throw httpError('invalid-request', { problem: "'userName' is required" });
  const joined = [givenName, familyName].filter((part) => part !== undefined).join(' ');
  const name = text('displayname') ?? text('name.formatted') ?? (joined === '' ? userName : joined);
  return {
    userName,
    email: text('emails.value') ?? userName,
    name,
    active: booleanOf(attributes['active'], 'active') ?? true,
    provisioned: {
      userName,
      ...(externalId !== undefined && { externalId }),
      ...(givenName !== undefined && { givenName }),
      ...(familyName !== undefined && { familyName }),
    },
  };
}

/** A user as SCIM has it. */
export function scimUserView(
  user: UserRecord,
  groups: readonly { readonly id: string; readonly name: string }[],
): object {
  const { id, email, name, created, provisioned = {}, deactivated } = user;
  const { userName = email, externalId, givenName, familyName } = provisioned;
  return {
    schemas: [userSchema],
    id,
    ...(externalId !== undefined && { externalId }),
    userName,
    displayName: name,
    name: {
      formatted: name,
      ...(givenName !== undefined && { givenName }),
      ...(familyName !== undefined && { familyName }),
    },
    emails: [{ value: email, type: 'work', primary: true }],
    active: deactivated === undefined,
    groups: groups.map((group) => ({ value: group.id, display: group.name })),
    meta: { resourceType: 'User', created, location: `/scim/v2/Users/${id}` },
  };
}
