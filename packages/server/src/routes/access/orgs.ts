import { Type, type Static } from 'typebox';
import type { Principal } from '../../access/allowed.js';
import { userIdOf } from '../../access/identity.js';
import { httpError } from '../../errors.js';
import type { OrgRecord } from '../../metadata/org.js';
import { Org, UpdateOrg } from '../../schemas/org.js';
import { IdParameter } from '../../schemas/parts.js';
import type { Deps } from '../deps.js';
import { json, route, type Route } from '../../http/route.js';

const tag = 'Organisation';
const params = { id: 'millrace-5f2b7c1e' };

/** The interface allows for many organisations; a server has one. */
export function orgRoutes({ metadata: { org, users } }: Deps): readonly Route[] {
  const view = async (record: OrgRecord, principal: Principal): Promise<Static<typeof Org>> => {
    const user = await users.find(userIdOf(principal));
    const owner = await users.owner();
    const { id, name, created, modified } = record;
    return {
      id,
      name,
      slug: id,
      plan: 'enterprise',
      planCreated: created,
      lastUsageSync: created,
      role: user?.role ?? 'none',
      primaryEmail: owner.email,
      license: licenseOf(record),
      paymentStatus: 'na',
      metaCreated: created,
      metaModified: modified,
      metaVersion: '1',
      defaultEdgeDeployment: '',
    };
  };
  const named = async (id: string): Promise<OrgRecord> => {
    const record = await org.get();
    if (record.id !== id) throw httpError('not-found', { kind: 'organisation', name: id });
    return record;
  };

  return [
    route({
      method: 'GET',
      path: '/v2/orgs',
      operation: 'listOrgs',
      tag,
      summary: 'List organisations',
      need: { scope: 'login' },
      request: {},
      responses: { 200: { description: 'The one there is.', schema: Type.Array(Org) } },
      examples: [{ summary: 'All organisations' }],
      handle: async ({ principal }) => json([await view(await org.get(), principal)]),
    }),
    route({
      method: 'GET',
      path: '/v2/orgs/{id}',
      operation: 'getOrg',
      tag,
      summary: 'Get an organisation',
      need: { scope: 'login' },
      request: { params: IdParameter },
      responses: { 200: { description: 'The organisation.', schema: Org } },
      errors: ['not-found'],
      examples: [{ summary: 'The organisation', params }],
      handle: async ({ params: { id }, principal }) => json(await view(await named(id), principal)),
    }),
    route({
      method: 'PUT',
      path: '/v2/orgs/{id}',
      operation: 'updateOrg',
      tag,
      summary: 'Rename the organisation',
      description: 'Needs the rights of an owner.',
      need: { scope: 'org', resource: 'billing', action: 'update' },
      request: { params: IdParameter, body: UpdateOrg },
      responses: { 200: { description: 'The organisation as it is now.', schema: Org } },
      errors: ['not-found'],
      examples: [{ summary: 'Rename', params, body: { name: 'Example Ltd' } }],
      handle: async ({ params: { id }, body, principal }) => {
        await named(id);
        return json(await view(await org.rename(body.name), principal));
      },
    }),
  ];
}

function licenseOf({ id, name, created }: OrgRecord): Static<typeof Org>['license'] {
  return {
    id,
    issuer: 'millrace',
    issuedTo: name,
    issuedAt: created,
    validFrom: created,
    expiresAt: null,
    billingPeriodStart: created,
    billingPeriodEnd: '9999-12-31T23:59:59Z',
    tier: 'enterprise',
    apiRateLimitPerSecond: 0,
    maxAuditWindowSeconds: 0,
    maxDatasets: 0,
    maxEndpoints: 0,
    maxFields: 0,
    maxMonitors: 0,
    maxQueryWindowSeconds: 0,
    maxUsers: 0,
    monthlyIngestGb: 0,
    monthlyQueryGbHours: 0,
    storageAllowanceGB: 0,
    withAuths: [],
    features: {},
    defaultEdgeDeployment: '',
    edgeDeployments: [],
  };
}
