import { Type, type Static } from 'typebox';
import { withTitle, optional, textOf } from './parts.js';

const time = () => Type.String({ format: 'date-time' });
const count = () => Type.Integer({ minimum: 0 });

/**
 * Clients of the interface expect a license. Nothing here is sold: numbers are the server's limits,
 * or 0 where there is none.
 */
const License = withTitle(
  'License',
  Type.Object({
    id: Type.String(),
    issuer: Type.String(),
    issuedTo: Type.String(),
    issuedAt: time(),
    validFrom: time(),
    expiresAt: Type.Union([time(), Type.Null()]),
    billingPeriodStart: time(),
    billingPeriodEnd: time(),
    tier: Type.Literal('enterprise'),
    apiRateLimitPerSecond: count(),
    maxAuditWindowSeconds: count(),
    maxDatasets: count(),
    maxEndpoints: count(),
    maxFields: count(),
    maxMonitors: count(),
    maxQueryWindowSeconds: count(),
    maxUsers: count(),
    monthlyIngestGb: count(),
    monthlyQueryGbHours: count(),
    storageAllowanceGB: count(),
    withAuths: Type.Array(Type.String()),
    features: Type.Record(Type.String(), Type.Boolean()),
    defaultEdgeDeployment: Type.String(),
    edgeDeployments: Type.Array(Type.String()),
  }),
);

const name = () => textOf('written', { minLength: 1, maxLength: 128 });
const limit = (description: string) => optional(Type.Integer({ minimum: 1, description }));

/** Limits of an organization; without one, it shares what the server has. */
export const OrgLimits = withTitle(
  'OrgLimits',
  Type.Object({
    ingestBytesPerDay: limit(
      'Bytes of events per day (UTC), after decompression. Ingest beyond it gets 429. Counted in memory: a restart of the server begins again.',
    ),
    storageBytes: limit('Bytes of stored events, compressed, measured every minute. Ingest beyond it gets 429.'),
    concurrentQueries: limit('Queries of all tokens that wait or run. Further ones get 429.'),
    queryMemoryBytes: limit('Memory of the engine for one query.'),
  }),
);
export type OrgLimits = Static<typeof OrgLimits>;

export const Org = withTitle(
  'Org',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    slug: Type.String(),
    plan: Type.Literal('enterprise'),
    planCreated: time(),
    lastUsageSync: time(),
    role: Type.String({ description: 'Role of the caller.' }),
    member: optional(Type.Boolean({ description: 'Whether you are a member, so that `X-Axiom-Org-Id` may name it.' })),
    primaryEmail: Type.String(),
    license: License,
    paymentStatus: Type.Literal('na'),
    metaCreated: time(),
    metaModified: time(),
    metaVersion: Type.String(),
    defaultEdgeDeployment: Type.String(),
    limits: optional(OrgLimits),
    usage: optional(
      Type.Object(
        { ingestBytesToday: count(), storageBytes: count() },
        { description: 'For administrators of the server; absent for the first organization.' },
      ),
    ),
  }),
);

export const UpdateOrg = withTitle('UpdateOrg', Type.Object({ name: optional(name()), limits: optional(OrgLimits) }));

export const NewOrg = withTitle(
  'NewOrg',
  Type.Object({
    name: name(),
    edgeDeployment: optional(Type.String({ description: 'Ignored.' })),
    limits: optional(OrgLimits),
  }),
);

export const CreatedOrg = withTitle(
  'CreatedOrg',
  Type.Object({
    ...Org.properties,
    ownerToken: Type.String({ description: 'Personal token of the owner of the organization, shown once.' }),
  }),
);
