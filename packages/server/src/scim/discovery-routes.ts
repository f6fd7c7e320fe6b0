import { httpError } from '@millrace/api/errors';
import { requestBounds } from '@millrace/api/limits';
import { route, type Route } from '@millrace/http/route';
import { listResponse } from './scim-list.js';
import { documentedResponses, IdParam, needOf, scim, scimRoute } from './scim-route.js';
import { userSchema } from './scim-user.js';

/** What the server supports, as providers ask before they push. */

const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const config = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: requestBounds.scimPage.max },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API token',
      description: 'A token of Millrace as a bearer token',
      primary: true,
    },
  ],
};

interface DescribedResource {
  readonly id: string;
  readonly [attribute: string]: unknown;
}

const resourceTypes: readonly DescribedResource[] = [
  ['User', '/Users', userSchema] as const,
  ['Group', '/Groups', groupSchema] as const,
].map(([id, endpoint, schema]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id,
  name: id,
  endpoint,
  schema,
}));

const attribute = (name: string, type = 'string', more: object = {}): object => ({
  name,
  type,
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});

const schemas: readonly DescribedResource[] = [
  {
    id: userSchema,
    name: 'User',
    attributes: [
      attribute('userName', 'string', { required: true, uniqueness: 'server' }),
      attribute('externalId', 'string', { caseExact: true }),
      attribute('displayName'),
      attribute('name', 'complex', {
        subAttributes: ['formatted', 'givenName', 'familyName'].map((name) => attribute(name)),
      }),
      attribute('emails', 'complex', {
        multiValued: true,
        subAttributes: [attribute('value'), attribute('type'), attribute('primary', 'boolean')],
      }),
      attribute('active', 'boolean'),
    ],
  },
  {
    id: groupSchema,
    name: 'Group',
    attributes: [
      attribute('displayName', 'string', { required: true, uniqueness: 'server' }),
      attribute('members', 'complex', { multiValued: true, subAttributes: [attribute('value'), attribute('display')] }),
    ],
  },
];

const get = { ...scimRoute, method: 'GET', need: needOf('read'), responses: documentedResponses } as const;

export const scimDiscoveryRoutes = (): readonly Route[] => [
  route({
    ...get,
    path: '/scim/v2/ServiceProviderConfig',
    operation: 'scimConfig',
    summary: 'What is supported',
    request: {},
    handle: () => scim(config),
  }),
  ...describedRoutes('ResourceTypes', 'scimResourceTypes', resourceTypes),
  ...describedRoutes('Schemas', 'scimSchemas', schemas),
];

const describedRoutes = (name: string, operation: string, all: readonly DescribedResource[]): readonly Route[] => [
  route({
    ...get,
    path: `/scim/v2/${name}`,
    operation,
    summary: `List ${name}`,
    request: {},
    handle: async () => scim(await listResponse(all, {}, async (each) => each)),
  }),
  route({
    ...get,
    path: `/scim/v2/${name}/{id}`,
    operation: `${operation}One`,
    summary: `Get one of ${name}`,
    request: { params: IdParam },
    errors: ['not-found'],
    handle: ({ params: { id } }) => {
      const found = all.find((each) => each.id === id);
      if (found === undefined) throw httpError('not-found', { kind: name, name: id });
      return scim(found);
    },
  }),
];
