import { Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { Identity, LinkIdentity } from '@millrace/api/schemas/sign-in';
import { IdParameter } from '@millrace/api/schemas/parts';
import { checkGrantOfUser } from '@millrace/http/access/grant';
import { empty, json, route, type Route } from '@millrace/http/route';
import type { IdentityRecord } from '@millrace/metadata/sign-in/identities';
import type { Deps } from '../deps.js';

const tag = 'Sign-in';
const params = { id: 'usr_5f2b7c1e9a4d3b6c8e0f1a2b' };
const invitationMilliseconds = 7 * 24 * 3600_000;

function view(record: IdentityRecord): Omit<IdentityRecord, 'userId'> {
  const { userId: _, ...identity } = record;
  return identity;
}

/** Accounts of users at sign-in providers. Linking is explicit and needs rights on the user. */
export function identityRoutes({ metadata, signIn, clock }: Deps): readonly Route[] {
  const { users, identities } = metadata;
  const issuerOf = (id: string): string => {
    const issuer = signIn.issuerOf(id);
    if (issuer === undefined) throw httpError('not-found', { kind: 'sign-in provider', name: id });
    return issuer;
  };
  return [
    route({
      method: 'GET',
      path: '/v2/users/{id}/identities',
      operation: 'listIdentities',
      tag,
      summary: 'List the identities of a user',
      need: { scope: 'org', resource: 'users', action: 'read' },
      request: { params: IdParameter },
      responses: { 200: { description: 'Identities and invitations.', schema: Type.Array(Identity) } },
      errors: ['not-found'],
      examples: [{ summary: 'Of one user', params }],
      handle: async ({ params: { id } }) => {
        await users.get(id);
        return json((await identities.list(id)).map(view));
      },
    }),
    route({
      method: 'POST',
      path: '/v2/users/{id}/identities',
      operation: 'linkIdentity',
      tag,
      summary: 'Link a user to a provider, or invite the user',
      description: 'The user may not have rights that you lack.',
      need: { scope: 'org', resource: 'users', action: 'update' },
      request: { params: IdParameter, body: LinkIdentity },
      responses: { 200: { description: 'The identity or invitation.', schema: Identity } },
      errors: ['not-found', 'already-exists', 'protected-resource'],
      examples: [{ summary: 'Invite', params, body: { provider: 'okta' } }],
      changesRights: true,
      handle: async ({ params: { id }, body: { provider, subject }, principal }) => {
        const user = await users.get(id);
        await checkGrantOfUser(principal, user, metadata);
        const base = { userId: id, provider, issuer: issuerOf(provider), email: user.email };
        const expires = new Date(clock() + invitationMilliseconds).toISOString();
        return json(view(await identities.create(subject === undefined ? { ...base, expires } : { ...base, subject })));
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/users/{id}/identities/{identity}',
      operation: 'unlinkIdentity',
      tag,
      summary: 'Unlink a user from a provider',
      description: 'Ends the sessions of the identity.',
      need: { scope: 'org', resource: 'users', action: 'update' },
      request: {
        params: Type.Object({
          ...IdParameter.properties,
          identity: Type.String({ description: 'ID of the identity.' }),
        }),
      },
      responses: { 204: { description: 'Unlinked.' } },
      errors: ['not-found'],
      examples: [{ summary: 'Unlink', params: { ...params, identity: '5a8ff3c1-0d5a-4b0e-8a4e-2f4d1b6a7c22' } }],
      changesRights: true,
      handle: async ({ params: { id, identity }, principal }) => {
        await checkGrantOfUser(principal, await users.get(id), metadata);
        await identities.delete(id, identity);
        return empty();
      },
    }),
  ];
}
