import { Type, type Static } from 'typebox';
import { anyName, oneOf } from './parts.js';

/**
 * Permissions, declared once: scope → resource → actions. Schemas, checks, roles and the access
 * walk derive from these tables.
 */

const crud = ['create', 'read', 'update', 'delete'] as const;

export const datasetResources = {
  ingest: ['create'],
  query: ['read'],
  starredQueries: crud,
  virtualFields: crud,
  trim: ['update'],
  vacuum: ['update'],
  data: ['delete'],
  share: ['create', 'read', 'delete'],
} as const;

export const orgResources = {
  annotations: crud,
  apiTokens: crud,
  auditLog: ['read'],
  billing: ['read', 'update'],
  dashboards: crud,
  datasets: crud,
  endpoints: crud,
  flows: crud,
  integrations: crud,
  labels: crud,
  metrics: ['read'],
  monitors: crud,
  notifiers: crud,
  rbac: crud,
  sharedAccessKeys: ['read', 'update'],
  users: crud,
  views: crud,
} as const;

/**
 * Resources that Axiom's API does not document, so that a token with everything it documents lacks
 * them: `labels` is for its Terraform provider, `metrics` for metrics of the server.
 */
export const undocumentedOrgResources: readonly (keyof typeof orgResources)[] = ['labels', 'metrics'];

export const viewResources = {
  query: ['read'],
  share: ['create', 'read', 'delete'],
} as const;

type Right<T extends Record<string, readonly string[]>> = {
  [R in keyof T]: { readonly resource: R; readonly action: T[R][number] };
}[keyof T];

export type DatasetRight = Right<typeof datasetResources>;
export type OrgRight = Right<typeof orgResources>;
export type ViewRight = Right<typeof viewResources>;

function actionsSchema<T extends Record<string, readonly string[]>>(resources: T) {
  const properties = Object.fromEntries(
    Object.entries(resources).map(([resource, actions]) => [resource, Type.Optional(Type.Array(oneOf(actions)))]),
  );
  // A misspelt right is refused; otherwise it would silently not be given.
  const schema = Type.Object(properties, { additionalProperties: false });
  return Type.Unsafe<{ readonly [R in keyof T]?: readonly T[R][number][] }>(schema);
}

const datasetActions = actionsSchema(datasetResources);
const viewActions = actionsSchema(viewResources);

/** Dataset name, or `*` for every dataset → allowed actions. */
export const DatasetCapabilities = Type.Record(anyName, datasetActions, { title: 'DatasetCapabilities' });
export const OrgCapabilities = Type.Unsafe<Static<ReturnType<typeof actionsSchema<typeof orgResources>>>>({
  ...actionsSchema(orgResources),
  title: 'OrgCapabilities',
});
/** View name, or `*` for every view → allowed actions. */
export const ViewCapabilities = Type.Record(anyName, viewActions, { title: 'ViewCapabilities' });

export type DatasetCapabilities = Static<typeof DatasetCapabilities>;
export type OrgCapabilities = Static<typeof OrgCapabilities>;
export type ViewCapabilities = Static<typeof ViewCapabilities>;

/** Everything one token or role may do. */
export interface Capabilities {
  readonly datasetCapabilities: DatasetCapabilities;
  readonly orgCapabilities: OrgCapabilities;
  readonly viewCapabilities: ViewCapabilities;
}

export const noCapabilities: Capabilities = { datasetCapabilities: {}, orgCapabilities: {}, viewCapabilities: {} };
