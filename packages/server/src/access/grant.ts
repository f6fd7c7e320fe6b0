import { httpError } from '../errors.js';
import type { Metadata } from '../metadata/metadata.js';
import type { UserRecord } from '../metadata/users.js';
import { allowed, describeNeed, type Need, type Principal } from './allowed.js';
import type { Capabilities } from '../schemas/capabilities.js';
import { capabilitiesOf } from './rights.js';

/**
 * Nobody gives away more than they have: a token that may only make tokens could otherwise make
 * itself a stronger one.
 * @throws HttpError `forbidden` naming the first right the principal lacks
 */
export function checkGrant(principal: Principal, granted: Partial<Capabilities>): void {
  const lacking = needsOf(granted).find((need) => !allowed(principal, need));
  if (lacking !== undefined)
    throw httpError('forbidden', { need: `${describeNeed(lacking)}, because nobody can grant more than they have` });
}

/** Checks the same for every right that a user has. */
export async function checkGrantOfUser(
  principal: Principal,
  user: UserRecord,
  metadata: Pick<Metadata, 'roles' | 'groups'>,
): Promise<void> {
  for (const capabilities of await capabilitiesOf(user, metadata)) checkGrant(principal, capabilities);
}

/**
 * Every right in a set of capabilities, as needs. `*` needs the right on everything, which only `*`
 * gives.
 */
function needsOf({
  datasetCapabilities = {},
  orgCapabilities = {},
  viewCapabilities = {},
}: Partial<Capabilities>): readonly Need[] {
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

function needsIn(actions: object, need: (resource: string, action: string) => object): readonly Need[] {
  const lists = Object.entries(actions as Readonly<Record<string, readonly string[]>>);
  // The schema of capabilities admits only resources and actions that are in the tables.
  return lists.flatMap(([resource, list]) => list.map((action) => need(resource, action) as Need));
}
