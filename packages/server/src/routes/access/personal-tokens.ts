import { Type } from 'typebox';
import type { Principal } from '../../access/allowed.js';
import type { Capabilities } from '../../schemas/capabilities.js';
import { checkGrantOfUser } from '../../access/grant.js';
import { userIdOf } from '../../access/identity.js';
import { httpError } from '../../errors.js';
import { IdParameter } from '../../schemas/parts.js';
import { CreatedPersonalToken, CreatePersonalToken, PersonalToken } from '../../schemas/token.js';
import type { Deps } from '../deps.js';
import { longList } from '../../http/body/json-pieces.js';
import { empty, json, route, type Route } from '../../http/route.js';
import { issuedPersonalView, personalTokenView, withLastUse } from './token-views.js';
import { expiryOf } from './tokens.js';

/** A bounded token makes none that is not. */
const ownWithin = (principal: Principal) => (principal.kind === 'anonymous' ? undefined : principal.within);

/**
 * Whoever makes a token for somebody may keep its secret, and must not get rights with it that the
 * user is given later.
 */
function makersRights(principal: Principal): readonly Capabilities[] {
  if (principal.kind === 'anonymous' || principal.within !== undefined)
    throw httpError('forbidden', { need: 'a token that was not made by somebody else' });
  return principal.capabilities;
}

const tag = 'Personal tokens';
const params = { id: '5a8ff3c1-0d5a-4b0e-8a4e-2f4d1b6a7c22' };

/**
 * Routes for personal tokens, which the interface leaves to a web page. Every route is about the
 * caller's own tokens or, with rights on users, about somebody else's.
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
      description: 'Your own; with `users:read` everybody’s.',
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
        return longList(seen.map((token) => withLastUse(personalTokenView(token), uses)));
      },
    }),
    route({
      method: 'POST',
      path: '/v2/personal-tokens',
      operation: 'createPersonalToken',
      tag,
      summary: 'Create a personal token',
      description:
        'For yourself, sent with a personal token; or with `users:update` for a user who has no right you lack. Whatever the user is given later, such a token never has a right that its maker lacked.',
      need: { scope: 'login' },
      request: { body: CreatePersonalToken },
      responses: {
        200: { description: 'The token with its secret, which is never shown again.', schema: CreatedPersonalToken },
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
        const issued = await tokens.create({ kind: 'personal', name, description, expires, userId: owner, within });
        return json(issuedPersonalView(issued));
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/personal-tokens/{id}',
      operation: 'deletePersonalToken',
      tag,
      summary: 'Delete a personal token',
      description: 'Your own; with `users:update` that of a user who has no right you lack.',
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
