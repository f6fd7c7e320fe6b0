import { auditDataset } from '@millrace/metadata/dataset-names';
import type { Capabilities, DatasetRight, OrgRight, ViewRight } from '@millrace/api/schemas/capabilities';

/** The authenticated caller of a request. */
export type Principal =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'api-token' | 'personal-token';
      readonly tokenId: string;
      readonly tokenName: string;
      /** The user a personal token belongs to, or who created the API token. */
      readonly userId: string;
      /** The session that was signed in with the token, if the request came with its cookie. */
      readonly sessionId?: string;
      /**
       * One entry per source of rights (token, role, role of a group); any entry grants a right.
       */
      readonly capabilities: readonly Capabilities[];
      /**
       * If set, limits the capabilities to these. A personal token never has more permissions than
       * the user who created it.
       */
      readonly within?: readonly Capabilities[];
      /** The account at a provider that vouched for the person who has the token. */
      readonly identity?: PersonIdentity;
    };

/** A person, the same in each organization of the server. */
export interface PersonIdentity {
  /** Of the record in the organization of the token. */
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
}

export type AuthenticatedPrincipal = Exclude<Principal, { kind: 'anonymous' }>;

/**
 * Right that an operation requires. `name` is the dataset or view. Without a name, the right on any
 * dataset or view suffices: a route can check no more before it has read the names in the request.
 */
export type RequiredPermission =
  | { readonly scope: 'public' }
  | { readonly scope: 'login' }
  | ({ readonly scope: 'org' } & OrgRight)
  | ({ readonly scope: 'dataset'; readonly name?: string } & DatasetRight)
  | ({ readonly scope: 'view'; readonly name?: string } & ViewRight)
  /** Right to query the dataset or view of this name. */
  | { readonly scope: 'query'; readonly name?: string };

/** Decides whether a principal has a permission. All access checks go through it. */
export function isAllowed(principal: Principal, need: RequiredPermission): boolean {
  if (need.scope === 'public') return true;
  if (principal.kind === 'anonymous') return false;
  if (principal.within !== undefined) {
    const { within, ...now } = principal;
    return isAllowed(now, need) && isAllowed({ ...now, capabilities: within }, need);
  }
  switch (need.scope) {
    case 'login':
      return true;
    case 'org':
      return principal.capabilities.some(({ orgCapabilities }) => holds(orgCapabilities, need));
    case 'dataset':
      return (
        audit(principal, need) ??
        principal.capabilities.some(({ datasetCapabilities }) => holdsNamed(datasetCapabilities, need))
      );
    case 'view':
      return principal.capabilities.some(({ viewCapabilities }) => holdsNamed(viewCapabilities, need));
    case 'query':
      return (['dataset', 'view'] as const).some((scope) =>
        isAllowed(principal, { ...need, scope, resource: 'query', action: 'read' }),
      );
  }
}

/**
 * Access to the audit log: reading requires the `auditLog` capability; writing and deleting are
 * never allowed. `undefined` if the dataset capabilities decide.
 */
function audit(
  principal: Principal,
  { name, resource, action }: Extract<RequiredPermission, { scope: 'dataset' }>,
): boolean | undefined {
  const mayRead = () => isAllowed(principal, { scope: 'org', resource: 'auditLog', action: 'read' });
  if (name === undefined) return resource === 'query' && mayRead() ? true : undefined;
  if (name !== auditDataset) return undefined;
  if (resource === 'query') return mayRead();
  // A virtual field could replace what was recorded.
  if (resource === 'virtualFields' && action !== 'read') return false;
  return resource === 'ingest' || resource === 'trim' || resource === 'data' ? false : undefined;
}

type Actions = Readonly<Record<string, readonly string[] | undefined>>;
interface AnyRight {
  readonly resource: string;
  readonly action: string;
  readonly name?: string;
}

function holdsNamed(byName: Readonly<Record<string, Actions>>, need: AnyRight): boolean {
  if (need.name === undefined) return Object.values(byName).some((actions) => holds(actions, need));
  return holds(own(byName, '*'), need) || holds(own(byName, need.name), need);
}

function holds(actions: Actions | undefined, need: AnyRight): boolean {
  return actions !== undefined && (own(actions, need.resource)?.includes(need.action) ?? false);
}

/**
 * Own property of a record. Names come from requests: `__proto__` and `constructor` must not find
 * inherited properties.
 */
function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** `query:read on dataset 'logs'`, for messages and documentation. */
export function describePermission(need: RequiredPermission): string {
  switch (need.scope) {
    case 'public':
      return 'nothing';
    case 'login':
      return 'any valid token';
    case 'org':
      return `the organization capability ${need.resource}:${need.action}`;
    case 'dataset':
    case 'view':
      return `the ${need.scope} capability ${need.resource}:${need.action}${on(need.name)}`;
    case 'query':
      return `the dataset or view capability query:read${on(need.name)}`;
  }
}

const on = (name: string | undefined): string => (name === undefined ? '' : ` on '${name}'`);
