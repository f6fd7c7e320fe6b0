import type { PersonIdentity } from '@millrace/http/access/authorize';
import type { Metadata } from '@millrace/metadata/metadata';
import type { OrgRecord } from '@millrace/metadata/orgs/org';

/** An organization of the server with its metadata. */
export interface OrgMetadata {
  readonly id: string;
  readonly metadata: Metadata;
}

/** The organizations of a server, for people who may be members of several. */
export interface EveryOrg {
  /** The first one first; those that cannot be opened are left out. */
  all(): Promise<readonly OrgMetadata[]>;
}

/** A server with one organization. */
export const onlyOrg = (metadata: Metadata): EveryOrg => ({
  all: async () => [{ id: (await metadata.org.get()).id, metadata }],
});

/** An organization that a person is a member of. */
interface Membership {
  readonly record: OrgRecord;
  readonly role: string;
  readonly ownerEmail: string;
}

/** The organizations that a person is a member of. */
export async function membershipsOf(
  every: EveryOrg,
  { issuer, subject }: Pick<PersonIdentity, 'issuer' | 'subject'>,
): Promise<readonly Membership[]> {
  const found = (await every.all()).map(async ({ metadata: { org, identities, users } }) => {
    const identity = await identities.findBySubject(issuer, subject);
    const user = identity === undefined ? undefined : await users.find(identity.userId);
    if (user === undefined) return [];
    return [{ record: await org.get(), role: user.role, ownerEmail: (await users.owner()).email }];
  });
  return (await Promise.all(found)).flat();
}
