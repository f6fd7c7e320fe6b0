import { Type } from 'typebox';
import { type Capabilities, noCapabilities } from '../../schemas/capabilities.js';
import { checkGrant } from '../../access/grant.js';
import { userIdOf } from '../../access/identity.js';
import { httpError } from '../../errors.js';
import type { Clock } from '../../metadata/clock.js';
import { IdParameter } from '../../schemas/parts.js';
import { CreatedToken, CreateToken, RegenerateToken, Token } from '../../schemas/token.js';
import type { Deps } from '../deps.js';
import { longList } from '../../http/body/json-pieces.js';
import { empty, json, route, type Route } from '../../http/route.js';
import { issuedView, tokenView, withLastUse } from './token-views.js';

const tag = 'Tokens';
const params = { id: '1f4f9d6e-9f3c-4d62-9a3f-6f0c3b0f6a11' };
const example = {
  name: 'shipper',
  description: 'Sends the logs of the site',
  datasetCapabilities: { 'http-logs': { ingest: ['create'] } },
};

/**
 * When a new token stops working, if ever.
 * @throws HttpError `invalid-request` for one that would never work
 */
export function expiryOf(member: string, given: string | undefined, clock: Clock): string | undefined {
  if (given !== undefined && Date.parse(given) <= clock())
    throw httpError('invalid-request', {
      problem: `body '${member}' must be in the future; leave it out for a token that works until it is deleted`,
    });
  return given;
}

export function tokenRoutes({ metadata: { tokens, tokenUses }, clock }: Deps): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v2/tokens',
      operation: 'listTokens',
      tag,
      summary: 'List API tokens',
      need: { scope: 'org', resource: 'apiTokens', action: 'read' },
      request: {},
      responses: { 200: { description: 'All API tokens, without their secrets.', schema: Type.Array(Token) } },
      examples: [{ summary: 'All tokens' }],
      handle: async () => {
        const uses = await tokenUses.all();
        return longList((await tokens.list('api')).map((token) => withLastUse(tokenView(token), uses)));
      },
    }),
    route({
      method: 'POST',
      path: '/v2/tokens',
      operation: 'createToken',
      tag,
      summary: 'Create an API token',
      description: 'The token can be given no right its creator lacks.',
      need: { scope: 'org', resource: 'apiTokens', action: 'create' },
      request: { body: CreateToken },
      responses: {
        200: { description: 'The token with its secret, which is never shown again.', schema: CreatedToken },
      },
      examples: [{ summary: 'A token that may send events to one dataset', body: example }],
      changesRights: true,
      handle: async ({ body, principal }) => {
        const capabilities = capabilitiesIn(body);
        checkGrant(principal, capabilities);
        const { name, description, expiresAt } = body;
        const issued = await tokens.create({
          kind: 'api',
          name,
          description,
          expires: expiryOf('expiresAt', expiresAt, clock),
          userId: userIdOf(principal),
          capabilities,
        });
        return json(issuedView(issued));
      },
    }),
    route({
      method: 'GET',
      path: '/v2/tokens/{id}',
      operation: 'getToken',
      tag,
      summary: 'Get an API token',
      need: { scope: 'org', resource: 'apiTokens', action: 'read' },
      request: { params: IdParameter },
      responses: { 200: { description: 'The token, without its secret.', schema: Token } },
      errors: ['not-found'],
      examples: [{ summary: 'One token', params }],
      handle: async ({ params: { id } }) =>
        json(withLastUse(tokenView(await tokens.get('api', id)), await tokenUses.all())),
    }),
    route({
      method: 'DELETE',
      path: '/v2/tokens/{id}',
      operation: 'deleteToken',
      tag,
      summary: 'Delete an API token',
      description: 'One that you made, or that has no right you lack.',
      need: { scope: 'org', resource: 'apiTokens', action: 'delete' },
      request: { params: IdParameter },
      responses: { 204: { description: 'The token no longer works.' } },
      errors: ['not-found'],
      examples: [{ summary: 'Delete', params }],
      changesRights: true,
      handle: async ({ params: { id }, principal }) => {
        const { userId, capabilities } = await tokens.get('api', id);
        const isOwn = principal.kind === 'personal-token' && principal.userId === userId;
        // Otherwise a weak right would end what the strong ones let do.
        if (!isOwn) checkGrant(principal, capabilities);
        await tokens.delete('api', id);
        return empty();
      },
    }),
    route({
      method: 'POST',
      path: '/v2/tokens/{id}/regenerate',
      operation: 'regenerateToken',
      tag,
      summary: 'Give an API token a successor',
      description: 'The new token has an id and a secret of its own. Both work until `existingTokenExpiresAt`.',
      need: { scope: 'org', resource: 'apiTokens', action: 'update' },
      request: { params: IdParameter, body: RegenerateToken },
      responses: {
        200: { description: 'The new token with its secret, which is never shown again.', schema: CreatedToken },
      },
      errors: ['not-found'],
      examples: [
        { summary: 'Change over within a day', params, body: { existingTokenExpiresAt: '2026-11-21T10:00:00Z' } },
      ],
      changesRights: true,
      handle: async ({ params: { id }, body: { existingTokenExpiresAt, newTokenExpiresAt, newToken }, principal }) => {
        const present = await tokens.get('api', id);
        // The caller gets the new secret, and with it all rights of the token; the old one expires.
        // So these rights must be the caller's own, as for a new token.
        checkGrant(principal, present.capabilities);
        const capabilities = newToken === undefined ? present.capabilities : capabilitiesIn(newToken);
        checkGrant(principal, capabilities);
        const issued = await tokens.regenerate(id, existingTokenExpiresAt, {
          ...(newToken !== undefined && { name: newToken.name, description: newToken.description ?? '' }),
          expires:
            newTokenExpiresAt === undefined
              ? expiryOf('newToken.expiresAt', newToken?.expiresAt, clock)
              : expiryOf('newTokenExpiresAt', newTokenExpiresAt, clock),
          capabilities,
          userId: userIdOf(principal),
        });
        return json(issuedView(issued));
      },
    }),
  ];
}

/**
 * What a new token may do.
 * @throws HttpError `invalid-request` for nothing at all: such a token would be of no use, and a
 * right was probably forgotten
 */
function capabilitiesIn(body: Partial<Capabilities>): Capabilities {
  const capabilities = { ...noCapabilities, ...body };
  const { datasetCapabilities, orgCapabilities, viewCapabilities } = capabilities;
  if (isEmpty([datasetCapabilities, orgCapabilities, viewCapabilities]))
    throw httpError('invalid-request', {
      problem:
        'at least one capability must be set, such as "datasetCapabilities": {"http-logs": {"ingest": ["create"]}}',
    });
  return { datasetCapabilities, orgCapabilities, viewCapabilities };
}

/** Whether there is no text anywhere in a value. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).every(isEmpty) : value === undefined;
