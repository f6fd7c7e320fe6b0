import { Type } from 'typebox';
import { named, textOf } from './parts.js';

const time = () => Type.String({ format: 'date-time' });
const count = () => Type.Integer({ minimum: 0 });

/**
 * Clients of the interface expect a license. Nothing here is sold: numbers are the server's limits,
 * or 0 where there is none.
 */
const License = named(
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

export const Org = named(
  'Org',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    slug: Type.String(),
    plan: Type.Literal('enterprise'),
    planCreated: time(),
    lastUsageSync: time(),
    role: Type.String({ description: 'Role of the caller.' }),
    primaryEmail: Type.String(),
    license: License,
    paymentStatus: Type.Literal('na'),
    metaCreated: time(),
    metaModified: time(),
    metaVersion: Type.String(),
    defaultEdgeDeployment: Type.String(),
  }),
);

export const UpdateOrg = named('UpdateOrg', Type.Object({ name: textOf('written', { minLength: 1, maxLength: 128 }) }));
