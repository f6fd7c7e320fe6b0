import { orgResources } from '@millrace/api/schemas/capabilities';
import { userIdOf } from '@millrace/http/access/identity';
import { httpError } from '@millrace/api/errors';
import { UpdateUser, User, UserV1 } from '@millrace/api/schemas/user';
import type { Deps } from '../deps.js';
import { json, route, type Route } from '@millrace/http/route';
import { userView } from './user-view.js';

const tag = 'Users';

/** Routes of the caller's own user. */
export function currentUserRoutes({ metadata: { users, roles } }: Deps): readonly Route[] {
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
      handle: async ({ principal }) => json(await userView(await users.get(userIdOf(principal)), roles)),
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
        return json(await userView(await users.update(principal.userId, body), roles));
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
        const { id, name, email, role } = await userView(await users.get(userIdOf(principal)), roles);
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
  ];
}
