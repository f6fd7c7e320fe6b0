import type { Logger } from 'pino';
import type { EveryOrg, OrgMetadata } from '../orgs/people.js';
import { type AdmittedUser, admit, isExpected } from './admit.js';
import type { ProviderIdentity } from './claims.js';
import { SignInRefusal } from './refusal.js';
import type { ClaimMapping, OrgMappings } from './sign-in-file.js';

type Source = ClaimMapping & { readonly id: string; readonly organizations?: OrgMappings };
/** An organization that admitted a person. */
export type AdmittedTo = AdmittedUser & OrgMetadata;

/**
 * Admits a person to each organization that the person is a member of, or that the provider's
 * settings name.
 * @returns these organizations, first the one in which the session begins: the first in which the
 * person has a role
 * @throws SignInRefusal of the first organization if none admits the person
 */
export async function admitEverywhere(
  every: EveryOrg,
  source: Source,
  person: ProviderIdentity,
  log: Pick<Logger, 'warn'>,
): Promise<readonly [AdmittedTo, ...AdmittedTo[]]> {
  const [first, ...others] = await every.all();
  const admitted: AdmittedTo[] = [];
  let refusal: SignInRefusal | undefined;
  try {
    admitted.push({ ...first!, ...(await admit(first!.metadata, source, person, log)) });
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error;
    refusal = error;
  }
  for (const org of others) {
    const mapping = mappingFor(source, org.id);
    if (source.organizations?.[org.id] === undefined && !(await isExpected(org.metadata, person))) continue;
    try {
      admitted.push({ ...org, ...(await admit(org.metadata, mapping, person, log)) });
    } catch (error) {
      // The person may still be a member of others.
      log.warn({ org: org.id, err: error }, 'an organization did not admit a person');
    }
  }
  const chosen = (await firstWithRole(admitted)) ?? admitted[0];
  if (chosen === undefined) throw refusal!;
  return [chosen, ...admitted.filter((each) => each !== chosen)];
}

/** Claims that the provider requires apply to all; users, groups and roles to each on its own. */
function mappingFor({ id, require, emailDomains, groupsClaim, organizations }: Source, org: string): Source {
  const { require: more, ...own } = organizations?.[org] ?? {};
  const common = {
    ...(emailDomains !== undefined && { emailDomains }),
    ...(groupsClaim !== undefined && { groupsClaim }),
  };
  const claims = require === undefined && more === undefined ? {} : { require: { ...more, ...require } };
  return { id, createUsers: false, ...common, ...own, ...claims };
}

async function firstWithRole(admitted: readonly AdmittedTo[]): Promise<AdmittedTo | undefined> {
  for (const each of admitted) {
    const { id, role } = each.user;
    if (role !== 'none') return each;
    if ((await each.metadata.groups.list()).some(({ members }) => members.includes(id))) return each;
  }
  return undefined;
}
