import { Type } from 'typebox';
import { type Capabilities, noCapabilities } from '@millrace/api/schemas/capabilities';
import { checkGrant } from '@millrace/http/access/grant';
import { userIdOf } from '@millrace/http/access/identity';
import { httpError } from '@millrace/api/errors';
import type { Clock } from '@millrace/metadata/clock';
import { IdParameter, includeParameter } from '@millrace/api/schemas/parts';
import { CreatedToken, CreateToken, RegenerateToken, Token } from '@millrace/api/schemas/token';
import type { Deps } from '../deps.js';
import { longList } from '@millrace/http/body/json-stream';
import { empty, json, route, type Route } from '@millrace/http/route';
import { issuedView, tokenView, addLastUse } from './token-views.js';

const tag = 'Tokens';
const params = { id: '1f4f9d6e-9f3c-4d62-9a3f-6f0c3b0f6a11' };
const example = {
  name: 'shipper',
  description: 'Sends the logs of the site',
  datasetCapabilities: { 'http-logs': { ingest: ['create'] } },
};

const IncludeQuery = includeParameter('lastUsed', 'adds the time of the last use.');

/**
 * Expiry time of a new token, if any.
 * @throws HttpError `invalid-request` for a time in the past
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
      request: { query: IncludeQuery },
      responses: { 200: { description: 'All API tokens, without their secrets.', schema: Type.Array(Token) } },
      examples: [{ summary: 'All tokens' }],
      handle: async ({ query: { include } }) => {
        const uses = include === undefined ? new Map<string, string>() : await tokenUses.all();
        return longList((await tokens.list('api')).map((token) => addLastUse(tokenView(token), uses)));
      },
    }),
    route({
      method: 'POST',
      path: '/v2/tokens',
      operation: 'createToken',
      tag,
      summary: 'Create an API token',
      description: 'Capabilities are limited to those of the caller.',
      need: { scope: 'org', resource: 'apiTokens', action: 'create' },
      request: { body: CreateToken },
      responses: {
        200: { description: 'The token. The secret is returned only once.', schema: CreatedToken },
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
      request: { params: IdParameter, query: IncludeQuery },
      responses: { 200: { description: 'The token, without its secret.', schema: Token } },
      errors: ['not-found'],
      examples: [{ summary: 'One token', params }],
      handle: async ({ params: { id }, query: { include } }) => {
        const view = tokenView(await tokens.get('api', id));
        return json(include === undefined ? view : addLastUse(view, await tokenUses.all()));
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/tokens/{id}',
      operation: 'deleteToken',
      tag,
      summary: 'Delete an API token',
      description: 'Your own tokens, or tokens whose capabilities you also have.',
      need: { scope: 'org', resource: 'apiTokens', action: 'delete' },
      request: { params: IdParameter },
      responses: { 204: { description: 'Token revoked.' } },
      errors: ['not-found'],
      examples: [{ summary: 'Delete', params }],
      changesRights: true,
      handle: async ({ params: { id }, principal }) => {
        const { userId, capabilities } = await tokens.get('api', id);
        const isOwn = principal.kind === 'personal-token' && principal.userId === userId;
        // Otherwise a caller with few rights could delete a token with many.
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
      summary: 'Regenerate an API token',
      description: 'The new token has a new ID and secret. Both tokens work until `existingTokenExpiresAt`.',
      need: { scope: 'org', resource: 'apiTokens', action: 'update' },
      request: { params: IdParameter, body: RegenerateToken },
      responses: {
        200: { description: 'The new token with its secret, which is not shown again.', schema: CreatedToken },
      },
      errors: ['not-found'],
      examples: [
        { summary: 'Change over within a day', params, body: { existingTokenExpiresAt: '2026-11-21T10:00:00Z' } },
      ],
      changesRights: true,
      handle: async ({ params: { id }, body: { existingTokenExpiresAt, newTokenExpiresAt, newToken }, principal }) => {
        const present = await tokens.get('api', id);
        // The caller gets the new secret, and with it all rights of the token; the old one expires.
        // So the caller must have these rights, as for a new token.
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
 * Capabilities of a new token.
 * @throws HttpError `invalid-request` if there are none, which is probably a mistake
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

/** Whether a value contains no string. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).every(isEmpty) : value === undefined;
