import { httpError } from '@millrace/api/errors';
import type { Metadata } from '@millrace/metadata/metadata';
import type { UserRecord } from '@millrace/metadata/users';
import { isAllowed, describePermission, type RequiredPermission, type Principal } from './authorize.js';
import { type Capabilities, orgResources, undocumentedOrgResources } from '@millrace/api/schemas/capabilities';
import { capabilitiesOf } from './permissions.js';

/**
 * Checks that a principal grants only capabilities that it has: otherwise a token that may create
 * tokens could create a more powerful one.
 * @throws HttpError `forbidden` naming the first right the principal lacks
 */
export function checkGrant(principal: Principal, granted: Partial<Capabilities>): void {
  const lacking = needsOf(granted).find((need) => !isAllowed(principal, need) && !isImplied(principal, need));
  if (lacking !== undefined)
    throw httpError('forbidden', {
      need: `${describePermission(lacking)}: you cannot grant permissions you do not have`,
    });
}

/**
 * Whether a right that Axiom's API does not document follows from all rights on the organization
 * that it does: a client that knows only those must be able to make a user an admin.
 */
const isImplied = (principal: Principal, need: RequiredPermission): boolean =>
  need.scope === 'org' &&
  undocumentedOrgResources.includes(need.resource) &&
  documentedOrgNeeds.every((each) => isAllowed(principal, each));

/**
 * Checks that a principal has every right of a user.
 * @throws HttpError `forbidden`
 */
export async function checkGrantOfUser(
  principal: Principal,
  user: UserRecord,
  metadata: Pick<Metadata, 'roles' | 'groups'>,
): Promise<void> {
  for (const capabilities of await capabilitiesOf(user, metadata)) checkGrant(principal, capabilities);
}

/**
 * Every right in a set of capabilities, as needs. `*` requires the right on everything, which only
 * `*` grants.
 */
function needsOf({
  datasetCapabilities = {},
  orgCapabilities = {},
  viewCapabilities = {},
}: Partial<Capabilities>): readonly RequiredPermission[] {
  return [
    ...needsIn(orgCapabilities, (resource, action) => ({ scope: 'org', resource, action })),
    ...Object.entries(datasetCapabilities).flatMap(([name, actions]) =>
      needsIn(actions, (resource, action) => ({ scope: 'dataset', name, resource, action })),
    ),
    ...Object.entries(viewCapabilities).flatMap(([name, actions]) =>
      needsIn(actions, (resource, action) => ({ scope: 'view', name, resource, action })),
    ),
  ];
}

const documentedOrgNeeds = needsIn(orgResources, (resource, action) => ({ scope: 'org', resource, action })).filter(
  (need) => need.scope === 'org' && !undocumentedOrgResources.includes(need.resource),
);

function needsIn(actions: object, need: (resource: string, action: string) => object): readonly RequiredPermission[] {
  const lists = Object.entries(actions as Readonly<Record<string, readonly string[]>>);
  // The schema of capabilities admits only resources and actions that are in the tables.
  return lists.flatMap(([resource, list]) => list.map((action) => need(resource, action) as RequiredPermission));
}
