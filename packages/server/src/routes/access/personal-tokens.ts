import { Type } from 'typebox';
import type { Principal } from '@millrace/http/access/authorize';
import type { Capabilities } from '@millrace/api/schemas/capabilities';
import { checkGrantOfUser } from '@millrace/http/access/grant';
import { userIdOf } from '@millrace/http/access/identity';
import { httpError } from '@millrace/api/errors';
import { IdParameter } from '@millrace/api/schemas/parts';
import { CreatedPersonalToken, CreatePersonalToken, PersonalToken } from '@millrace/api/schemas/token';
import type { Deps } from '../deps.js';
import { longList } from '@millrace/http/body/json-stream';
import { empty, json, route, type Route } from '@millrace/http/route';
import { issuedPersonalView, personalTokenView, addLastUse } from './token-views.js';
import { expiryOf } from './tokens.js';

/** A limited token creates only limited tokens. */
const ownWithin = (principal: Principal) => (principal.kind === 'anonymous' ? undefined : principal.within);

const identityIn = (principal: Principal) => (principal.kind === 'anonymous' ? undefined : principal.identity?.id);

/**
 * Rights of the user who creates a token for another user. The creator may keep its secret, so the
 * token must not gain rights that its user gets later.
 */
function makersRights(principal: Principal): readonly Capabilities[] {
  if (principal.kind === 'anonymous' || principal.within !== undefined)
    throw httpError('forbidden', { need: 'a token that was not made by somebody else' });
  return principal.capabilities;
}

const tag = 'Personal tokens';
const params = { id: '5a8ff3c1-0d5a-4b0e-8a4e-2f4d1b6a7c22' };

/**
 * Routes for personal tokens; Axiom's API has none. They apply to the caller's tokens or, with
 * rights on users, to those of other users.
 */
export function personalTokenRoutes({ metadata, clock }: Deps): readonly Route[] {
  const { tokens, tokenUses, users } = metadata;
  return [
    route({
      method: 'GET',
      path: '/v2/personal-tokens',
      operation: 'listPersonalTokens',
      tag,
      summary: 'List personal tokens',
      description: 'Your own tokens; with `users:read`, all users’ tokens.',
      need: { scope: 'login' },
      request: {},
      responses: { 200: { description: 'Tokens without their secrets.', schema: Type.Array(PersonalToken) } },
      examples: [{ summary: 'My tokens' }],
      handle: async ({ principal, may }) => {
        const all = await tokens.list('personal');
        const everybody = may({ scope: 'org', resource: 'users', action: 'read' });
        const own = principal.kind === 'personal-token' ? principal.userId : undefined;
        const uses = await tokenUses.all();
        const seen = all.filter(({ userId }) => everybody || userId === own);
        return longList(seen.map((token) => addLastUse(personalTokenView(token), uses)));
      },
    }),
    route({
      method: 'POST',
      path: '/v2/personal-tokens',
      operation: 'createPersonalToken',
      tag,
      summary: 'Create a personal token',
      description:
        'For yourself, with a personal token; with `users:update` also for users who have no right you lack. Such a token never gets rights that its creator lacked, even if the user gets them later.',
      need: { scope: 'login' },
      request: { body: CreatePersonalToken },
      responses: {
        200: { description: 'The token with its secret, which is not shown again.', schema: CreatedPersonalToken },
      },
      errors: ['not-found', 'forbidden'],
      examples: [{ summary: 'A token for my laptop', body: { name: 'laptop' } }],
      changesRights: true,
      handle: async ({ body: { name, description, expiresAt, userId }, principal, require }) => {
        const self = principal.kind === 'personal-token' ? principal.userId : undefined;
        const owner = userId ?? self;
        if (owner === undefined)
          throw httpError('invalid-request', { problem: "body 'userId' is required with an API token" });
        if (owner !== self) require({ scope: 'org', resource: 'users', action: 'update' });
        await checkGrantOfUser(principal, await users.get(owner), metadata);
        const expires = expiryOf('expiresAt', expiresAt, clock);
        const within = owner === self ? ownWithin(principal) : makersRights(principal);
        const identityId = owner === self ? identityIn(principal) : undefined;
        const token = { kind: 'personal', name, description, expires, userId: owner, within, identityId } as const;
        const issued = await tokens.create(token);
        return json(issuedPersonalView(issued));
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/personal-tokens/{id}',
      operation: 'deletePersonalToken',
      tag,
      summary: 'Delete a personal token',
      description: 'Your own token; with `users:update`, also tokens of users who have no right you lack.',
      need: { scope: 'login' },
      request: { params: IdParameter },
      responses: { 204: { description: 'The token no longer works.' } },
      errors: ['not-found', 'forbidden'],
      examples: [{ summary: 'Delete', params }],
      changesRights: true,
      handle: async ({ params: { id }, principal, require }) => {
        const token = await tokens.get('personal', id);
        const own = principal.kind === 'personal-token' && userIdOf(principal) === token.userId;
        if (!own) {
          require({ scope: 'org', resource: 'users', action: 'update' });
          await checkGrantOfUser(principal, await users.get(token.userId), metadata);
        }
        await tokens.delete('personal', id);
        return empty();
      },
    }),
  ];
}
