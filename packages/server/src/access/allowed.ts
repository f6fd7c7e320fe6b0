import { auditDataset } from '../metadata/dataset-names.js';
import type { Capabilities, DatasetRight, OrgRight, ViewRight } from '../schemas/capabilities.js';

/** Who makes a request. */
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
       * One entry per source of rights (token, role, role of a group); a right that any of them
       * gives is held.
       */
      readonly capabilities: readonly Capabilities[];
      /**
       * If given, a right must also be among these: a personal token that somebody else made never
       * has more than its maker had.
       */
      readonly within?: readonly Capabilities[];
    };

export type AuthenticatedPrincipal = Exclude<Principal, { kind: 'anonymous' }>;

/**
 * What an operation needs. `name` is the dataset or view; without a name the right must be held on
 * at least one of them, which is all that a route can check before it has read which ones the
 * request is about.
 */
export type Need =
  | { readonly scope: 'public' }
  | { readonly scope: 'login' }
  | ({ readonly scope: 'org' } & OrgRight)
  | ({ readonly scope: 'dataset'; readonly name?: string } & DatasetRight)
  | ({ readonly scope: 'view'; readonly name?: string } & ViewRight)
  /** To query the dataset or view of this name. */
  | { readonly scope: 'query'; readonly name?: string };

/** The only place that decides whether somebody may do something. */
export function allowed(principal: Principal, need: Need): boolean {
  if (need.scope === 'public') return true;
  if (principal.kind === 'anonymous') return false;
  if (principal.within !== undefined) {
    const { within, ...now } = principal;
    return allowed(now, need) && allowed({ ...now, capabilities: within }, need);
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
        allowed(principal, { ...need, scope, resource: 'query', action: 'read' }),
      );
  }
}

/**
 * Reading the audit log takes a right of its own, and nobody may add to it or remove from it;
 * `undefined` where the rights on datasets decide.
 */
function audit(
  principal: Principal,
  { name, resource, action }: Extract<Need, { scope: 'dataset' }>,
): boolean | undefined {
  const mayRead = () => allowed(principal, { scope: 'org', resource: 'auditLog', action: 'read' });
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
 * Names come from requests: `__proto__` and `constructor` must not find what every object inherits.
 */
function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** `query:read on dataset 'logs'`, for messages and documentation. */
export function describeNeed(need: Need): string {
  switch (need.scope) {
    case 'public':
      return 'nothing';
    case 'login':
      return 'any valid token';
    case 'org':
      return `the organisation capability ${need.resource}:${need.action}`;
    case 'dataset':
    case 'view':
      return `the ${need.scope} capability ${need.resource}:${need.action}${on(need.name)}`;
    case 'query':
      return `the dataset or view capability query:read${on(need.name)}`;
  }
}

const on = (name: string | undefined): string => (name === undefined ? '' : ` on '${name}'`);
