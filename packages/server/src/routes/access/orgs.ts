import { Type, type Static } from 'typebox';
import type { Principal } from '@millrace/http/access/authorize';
import { userIdOf } from '@millrace/http/access/identity';
import { httpError } from '@millrace/api/errors';
import type { OrgRecord } from '@millrace/metadata/org';
import { Org, UpdateOrg } from '@millrace/api/schemas/org';
import { IdParameter } from '@millrace/api/schemas/parts';
import type { Deps } from '../deps.js';
import { json, route, type Route } from '@millrace/http/route';

const tag = 'Organization';
const params = { id: 'millrace-5f2b7c1e' };

/** The interface allows for many organizations; a server has one. */
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
    if (record.id !== id) throw httpError('not-found', { kind: 'organization', name: id });
    return record;
  };

  return [
    route({
      method: 'GET',
      path: '/v2/orgs',
      operation: 'listOrgs',
      tag,
      summary: 'List organizations',
      need: { scope: 'login' },
      request: {},
      responses: { 200: { description: 'The only organization.', schema: Type.Array(Org) } },
      examples: [{ summary: 'All organizations' }],
      handle: async ({ principal }) => json([await view(await org.get(), principal)]),
    }),
    route({
      method: 'GET',
      path: '/v2/orgs/{id}',
      operation: 'getOrg',
      tag,
      summary: 'Get an organization',
      need: { scope: 'login' },
      request: { params: IdParameter },
      responses: { 200: { description: 'The organization.', schema: Org } },
      errors: ['not-found'],
      examples: [{ summary: 'The organization', params }],
      handle: async ({ params: { id }, principal }) => json(await view(await named(id), principal)),
    }),
    route({
      method: 'PUT',
      path: '/v2/orgs/{id}',
      operation: 'updateOrg',
      tag,
      summary: 'Rename the organization',
      description: 'Needs the rights of an owner.',
      need: { scope: 'org', resource: 'billing', action: 'update' },
      request: { params: IdParameter, body: UpdateOrg },
      responses: { 200: { description: 'The organization as it is now.', schema: Org } },
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
