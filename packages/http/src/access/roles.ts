import {
  type Capabilities,
  datasetResources,
  noCapabilities,
  orgResources,
  viewResources,
} from '@millrace/api/schemas/capabilities';

/**
 * The built-in roles, which cannot be changed. User-defined roles are documents (`roles` in
 * metadata/metadata.ts).
 */
export interface BuiltInRole {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly capabilities: Capabilities;
}

type Resources = Readonly<Record<string, readonly string[]>>;

/** Capabilities for every resource, with the actions that `keep` selects. */
function all(keep: (action: string, resource: string) => boolean): Capabilities {
  const select = (resources: Resources) =>
    Object.fromEntries(
      Object.entries(resources)
        .map(([resource, actions]) => [resource, actions.filter((action) => keep(action, resource))] as const)
        .filter(([, actions]) => actions.length > 0),
    );
  return {
    datasetCapabilities: { '*': select(datasetResources) },
    orgCapabilities: select(orgResources),
    viewCapabilities: { '*': select(viewResources) },
  };
}

/** Resources for administration. Roles below admin get no rights on them. */
const administration: readonly string[] = [
  'apiTokens',
  'auditLog',
  'billing',
  'metrics',
  'rbac',
  'sharedAccessKeys',
  'users',
];

export const builtInRoles: readonly BuiltInRole[] = [
  { id: 'owner', name: 'owner', description: 'May do everything.', capabilities: all(() => true) },
  {
    id: 'admin',
    name: 'admin',
    description: 'Full access except billing.',
    capabilities: all((action, resource) => resource !== 'billing' || action === 'read'),
  },
  {
    id: 'user',
    name: 'user',
    description: 'Full access to data, dashboards and monitors; none to tokens, users and roles.',
    capabilities: all((_, resource) => !administration.includes(resource)),
  },
  {
    id: 'read-only',
    name: 'read-only',
    description: 'Read-only access except administration.',
    capabilities: all((action, resource) => action === 'read' && !administration.includes(resource)),
  },
  { id: 'none', name: 'none', description: 'No permissions.', capabilities: noCapabilities },
];

/** A built-in role by id or name. */
export const builtInRole = (idOrName: string): BuiltInRole | undefined =>
  builtInRoles.find(({ id, name }) => id === idOrName || name === idOrName);
