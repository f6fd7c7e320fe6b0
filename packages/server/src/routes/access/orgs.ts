import { Type, type Static } from 'typebox';
import type { Principal } from '@millrace/http/access/authorize';
import { userIdOf } from '@millrace/http/access/identity';
import { httpError } from '@millrace/api/errors';
import type { OrgRecord } from '@millrace/metadata/orgs/org';
import { CreatedOrg, NewOrg, Org, UpdateOrg } from '@millrace/api/schemas/org';
import { IdParameter, includeParameter } from '@millrace/api/schemas/parts';
import { membershipsOf } from '../../orgs/people.js';
import type { ListedOrg, OrgAdmin } from '../../orgs/org-admin.js';
import type { Deps } from '../deps.js';
import { empty, json, route, type RequestContext, type Route } from '@millrace/http/route';

const tag = 'Organization';
const params = { id: 'millrace-5f2b7c1e' };
const IncludeQuery = includeParameter(
  'member',
  'adds whether you are a member; for administrators of the server also `limits` and `usage`.',
);
/** What owners may do. In the first organization they administer the server. */
const ownerNeed = { scope: 'org', resource: 'billing', action: 'update' } as const;

/**
 * An organization knows itself only; those who administer the server, the owners of the first one,
 * see the others.
 */
export function orgRoutes({ metadata: { org, users }, orgs, every }: Deps): readonly Route[] {
  const view = async (record: OrgRecord, principal: Principal): Promise<Static<typeof Org>> => {
    const user = await users.find(userIdOf(principal));
    const owner = await users.owner();
    return orgView(record, user?.role ?? 'none', owner.email, true);
  };
  /** The other organizations of the caller. */
  const ofPerson = async (principal: Principal): Promise<readonly Static<typeof Org>[]> => {
    const identity = principal.kind === 'anonymous' ? undefined : principal.identity;
    if (identity === undefined) return [];
    const own = await org.get();
    const found = (await membershipsOf(every, identity)).filter(({ record }) => record.id !== own.id);
    return found.map(({ record, role, ownerEmail }) => orgView(record, role, ownerEmail, true));
  };
  /** The other organizations, if the caller administers the server. */
  const othersFor = ({ may }: Pick<RequestContext, 'may'>): OrgAdmin | undefined => (may(ownerNeed) ? orgs : undefined);
  const viewFor = async (id: string, call: Pick<RequestContext, 'may' | 'principal'>): Promise<Static<typeof Org>> => {
    if (await isOwn(id)) return view(await org.get(), call.principal);
    const joined = (await ofPerson(call.principal)).find((each) => each.id === id);
    if (joined !== undefined) return joined;
    const others = othersFor(call);
    if (others === undefined) throw unknown(id);
    return otherView(await others.get(id));
  };
  const isOwn = async (id: string): Promise<boolean> => (await org.get()).id === id;

  return [
    route({
      method: 'GET',
      path: '/v2/orgs',
      operation: 'listOrgs',
      tag,
      summary: 'List organizations',
      description:
        'Yours: those of your account at a sign-in provider; for owners of the first organization of the server, all.',
      need: { scope: 'login' },
      request: { query: IncludeQuery },
      responses: { 200: { description: 'Your organization first.', schema: Type.Array(Org) } },
      examples: [{ summary: 'All organizations' }],
      handle: async (call) => {
        const joined = await ofPerson(call.principal);
        const administered = ((await othersFor(call)?.list()) ?? []).map(otherView);
        const more = joined.map((each) => ({ ...administered.find(({ id }) => id === each.id), ...each }));
        const rest = administered.filter(({ id }) => !joined.some((each) => each.id === id));
        const all = [await view(await org.get(), call.principal), ...more, ...rest];
        return json(call.query.include === undefined ? all.map(publishedView) : all);
      },
    }),
    route({
      method: 'POST',
      path: '/v2/orgs',
      operation: 'createOrg',
      tag,
      summary: 'Create an organization',
      description:
        'With its own datasets, users, tokens, monitors and audit log. Needs the rights of an owner of the first organization of the server. `MILLRACE_MAX_ORGS` limits their number.',
      need: ownerNeed,
      request: { body: NewOrg },
      responses: { 200: { description: 'The organization, with a token of its owner.', schema: CreatedOrg } },
      errors: ['quota-reached', 'protected-resource'],
      examples: [{ summary: 'An organization', body: { name: 'Example Ltd' } }],
      handle: async ({ body: { name, limits = {} } }) => {
        const server = requireOrgs(orgs);
        const { id, ownerToken } = await server.create(name, limits);
        return json({ ...otherView(await server.get(id)), ownerToken });
      },
    }),
    route({
      method: 'GET',
      path: '/v2/orgs/{id}',
      operation: 'getOrg',
      tag,
      summary: 'Get an organization',
      need: { scope: 'login' },
      request: { params: IdParameter, query: IncludeQuery },
      responses: { 200: { description: 'The organization.', schema: Org } },
      errors: ['not-found'],
      examples: [{ summary: 'The organization', params }],
      handle: async (call) => {
        const found = await viewFor(call.params.id, call);
        return json(call.query.include === undefined ? publishedView(found) : found);
      },
    }),
    route({
      method: 'PUT',
      path: '/v2/orgs/{id}',
      operation: 'updateOrg',
      tag,
      summary: 'Rename an organization, or set its limits',
      description:
        'Needs the rights of an owner. Owners rename their own organization; owners of the first one set the limits of the others. `limits` replaces all limits.',
      need: ownerNeed,
      request: { params: IdParameter, body: UpdateOrg },
      responses: { 200: { description: 'The organization as it is now.', schema: Org } },
      errors: ['not-found', 'protected-resource'],
      examples: [{ summary: 'Rename', params, body: { name: 'Example Ltd' } }],
      handle: async ({ params: { id }, body: { name, limits }, principal }) => {
        if (await isOwn(id)) {
          if (limits !== undefined)
            throw httpError('protected-resource', { reason: 'an organization does not set its own limits' });
          const own = name === undefined ? await org.get() : await org.rename(name);
          return json(publishedView(await view(own, principal)));
        }
        if (orgs === undefined) throw unknown(id);
        if (name !== undefined)
          throw httpError('protected-resource', { reason: 'an organization is renamed with a token of its owner' });
        if (limits !== undefined) await orgs.setLimits(id, limits);
        return json(otherView(await orgs.get(id)));
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/orgs/{id}',
      operation: 'deleteOrg',
      tag,
      summary: 'Delete an organization with all of its data',
      description:
        'Events, users, tokens, monitors and everything else of it. Needs the rights of an owner of the first organization, which cannot be deleted.',
      need: ownerNeed,
      request: { params: IdParameter },
      responses: { 204: { description: 'Deleted.' } },
      errors: ['not-found', 'protected-resource'],
      examples: [{ summary: 'Delete', params }],
      handle: async ({ params: { id } }) => {
        if (await isOwn(id))
          throw httpError('protected-resource', { reason: 'an organization does not delete itself' });
        if (orgs === undefined) throw unknown(id);
        await orgs.remove(id);
        return empty(204);
      },
    }),
  ];
}

const unknown = (name: string): Error => httpError('not-found', { kind: 'organization', name });

function requireOrgs(orgs: OrgAdmin | undefined): OrgAdmin {
  if (orgs !== undefined) return orgs;
  throw httpError('protected-resource', {
    reason: 'organizations are created with a token of the first organization of the server',
  });
}

/** An organization that the caller does not belong to. */
const otherView = ({ record, ownerEmail, limits, usage }: ListedOrg): Static<typeof Org> => ({
  ...orgView(record, 'none', ownerEmail, false),
  limits,
  usage: { ingestBytesToday: usage.ingestedToday, storageBytes: usage.stored },
});

/** Only members that the service documents, because strict clients reject others. */
function publishedView({ member: _member, limits: _limits, usage: _usage, ...published }: Static<typeof Org>) {
  return published;
}

function orgView(record: OrgRecord, role: string, primaryEmail: string, member: boolean): Static<typeof Org> {
  const { id, name, created, modified } = record;
  return {
    id,
    name,
    slug: id,
    plan: 'enterprise',
    planCreated: created,
    lastUsageSync: created,
    role,
    member,
    primaryEmail,
    license: licenseOf(record),
    paymentStatus: 'na',
    metaCreated: created,
    metaModified: modified,
    metaVersion: '1',
    defaultEdgeDeployment: '',
  };
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
