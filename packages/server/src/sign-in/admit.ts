import type { Logger } from 'pino';
import { HttpError } from '@millrace/api/errors';
import { builtInRole } from '@millrace/http/access/roles';
import type { IdentityRecord } from '@millrace/metadata/sign-in/identities';
import type { Metadata } from '@millrace/metadata/metadata';
import type { UserRecord } from '@millrace/metadata/users';
import { leavesOut, textsAt, verifiedEmail, type ProviderIdentity } from './claims.js';
import { SignInRefusal } from './refusal.js';
import type { ClaimMapping } from './sign-in-file.js';

type Source = ClaimMapping & { readonly id: string };

export interface AdmittedUser {
  readonly identity: IdentityRecord;
  readonly user: UserRecord;
}

/**
 * Finds or creates the user that a provider vouches for, and gives the user the role and groups of
 * the claims. Issuer and subject identify the user; an address only accepts an invitation.
 * @throws SignInRefusal
 */
export async function admit(
  metadata: Metadata,
  source: Source,
  person: ProviderIdentity,
  log: Pick<Logger, 'warn'>,
): Promise<AdmittedUser> {
  requireClaims(source, person);
  return metadata.rightsChanges.run(async () => {
    const identity =
      (await present(metadata, person)) ??
      (await pushedIdentity(metadata, source, person)) ??
      (await createIdentity(metadata, source, person));
    if ((await metadata.users.get(identity.userId)).deactivated !== undefined)
      throw new SignInRefusal('unknown-user', `the user of subject '${person.subject}' is deactivated`);
    const email = textsAt(person.claims, 'email')[0] ?? identity.email;
    await setRole(metadata, source, person, identity.userId);
    await setGroups(metadata, source, person, identity, log);
    await metadata.identities.noteSignIn({ id: identity.id, email });
    return { identity, user: await metadata.users.get(identity.userId) };
  });
}

function requireClaims({ id, require = {}, emailDomains }: Source, { claims }: ProviderIdentity): void {
  const lacking = Object.entries(require).find(([claim, value]) => !textsAt(claims, claim).includes(value));
  if (lacking !== undefined) {
    const seen = textsAt(claims, lacking[0]).join(', ') || 'nothing';
    throw new SignInRefusal('claims', `'${id}' requires the claim ${lacking[0]} to be '${lacking[1]}'; it is ${seen}`);
  }
  if (emailDomains === undefined) return;
  const domain = verifiedEmail(claims)?.toLowerCase().split('@').at(-1);
  if (domain === undefined || !emailDomains.some((allowed) => allowed.toLowerCase() === domain))
    throw new SignInRefusal('claims', `'${id}' requires a verified address in ${emailDomains.join(', ')}`);
}

async function present({ identities }: Metadata, person: ProviderIdentity): Promise<IdentityRecord | undefined> {
  const known = await identities.findBySubject(person.issuer, person.subject);
  const email = verifiedEmail(person.claims);
  return known ?? (email === undefined ? undefined : identities.acceptInvitation(person, email));
}

/** Links the user whom SCIM pushed and whom a claim of the provider names. */
async function pushedIdentity(
  { users, identities }: Metadata,
  { id: provider, scimClaim }: Source,
  { issuer, subject, claims }: ProviderIdentity,
): Promise<IdentityRecord | undefined> {
  if (scimClaim === undefined) return undefined;
  // An unverified address may be that of another person.
  const value = scimClaim === 'email' ? verifiedEmail(claims) : textsAt(claims, scimClaim)[0];
  const user = value === undefined ? undefined : await users.findProvisioned(value);
  if (user === undefined) return undefined;
  return identities.create({ userId: user.id, provider, issuer, subject, email: user.email });
}

/** Whether a person is a member of an organization, or invited to it. */
export async function isExpected(
  { identities }: Metadata,
  { issuer, subject, claims }: ProviderIdentity,
): Promise<boolean> {
  if ((await identities.findBySubject(issuer, subject)) !== undefined) return true;
  const email = verifiedEmail(claims);
  return email !== undefined && (await identities.isInvited(issuer, email));
}

async function createIdentity(
  { users, identities }: Metadata,
  source: Source,
  { issuer, subject, claims }: ProviderIdentity,
): Promise<IdentityRecord> {
  const { id: provider, createUsers = source.require !== undefined || source.groups !== undefined } = source;
  if (!createUsers)
    throw new SignInRefusal('unknown-user', `no user is linked to subject '${subject}' of provider '${provider}'`);
  const host = new URL(issuer).hostname;
  const email = (textsAt(claims, 'email')[0] ?? `${subject}@${host}`).slice(0, 256);
  const name = (textsAt(claims, 'name')[0] ?? textsAt(claims, 'preferred_username')[0] ?? email).slice(0, 256);
  const user = await users.create({ email, name, role: 'none' }).catch((error: unknown) => {
    if (!(error instanceof HttpError && error.code === 'already-exists')) throw error;
    // The other user may be another person.
    throw new SignInRefusal(
      'address-taken',
      `a user with the address of subject '${subject}' of provider '${provider}' exists and is not linked to it`,
    );
  });
  return identities.create({ userId: user.id, provider, issuer, subject, email });
}

/** Sets the role of the first rule that matches, or none if there are rules and none matches. */
async function setRole(
  metadata: Metadata,
  source: Source,
  { claims }: ProviderIdentity,
  userId: string,
): Promise<void> {
  const { roles: rules, allowOwner = false } = source;
  if (rules === undefined) return;
  const rule = rules.find(({ claim, equals }) => textsAt(claims, claim).includes(equals));
  const named = rule?.role ?? 'none';
  const role = builtInRole(named)?.id ?? (await metadata.roles.find('unique_key', named))?.id ?? 'none';
  const user = await metadata.users.get(userId);
  if (user.role === role) return;
  // Owners come and go by hand, unless the operator says otherwise.
  if (!allowOwner && (role === 'owner' || user.role === 'owner')) return;
  await metadata.users.update(userId, { role }).catch((error: unknown) => {
    // The last owner keeps the role.
    if (!(error instanceof HttpError && error.code === 'protected-resource')) throw error;
  });
}

/** Adds and removes memberships that the provider gives; those by hand stay. */
async function setGroups(
  { groups, identities }: Metadata,
  { id: provider, groups: mapped, groupsClaim = 'groups' }: Source,
  { claims }: ProviderIdentity,
  { id, userId }: IdentityRecord,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (mapped === undefined) return;
  if (leavesOut(claims, groupsClaim)) {
    log.warn({ provider, userId }, 'the provider left out the groups of a user, who has too many; the groups stay');
    return;
  }
  const all = await groups.list();
  const claimed = textsAt(claims, groupsClaim).flatMap((value) =>
    Object.hasOwn(mapped, value) ? [mapped[value]!] : [],
  );
  const wanted = new Set(
    all.filter((group) => claimed.includes(group.name) || claimed.includes(group.id)).map((group) => group.id),
  );
  const before = await identities.groupsGiven(id);
  const added = all.filter((group) => wanted.has(group.id) && !group.members.includes(userId));
  const given = [...before.filter((group) => wanted.has(group)), ...added.map((group) => group.id)];
  // Recorded first: after a crash the next sign-in still knows which memberships to remove.
  await identities.setGroupsGiven(id, [...new Set([...before, ...given])]);
  for (const group of added)
    await groups.update(group.id, (now) => ({ ...now, members: [...new Set([...now.members, userId])] }));
  for (const group of all.filter((group) => before.includes(group.id) && !wanted.has(group.id)))
    await groups.update(group.id, (now) => ({ ...now, members: now.members.filter((member) => member !== userId) }));
  await identities.setGroupsGiven(id, given);
}
