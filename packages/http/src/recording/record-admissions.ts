import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tenancy } from '../choose-tenant.js';
import type { Admission } from '../route.js';
import type { Notes, Tenant } from '../serve.js';

interface SignInRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly notes: Notes;
  readonly admissions: readonly Admission[];
}

/**
 * Records a sign-in in each organization that admitted the person, and not in others. The one of
 * the session logs and counts the request.
 */
export async function recordAdmissions(
  { request, reply, notes, admissions }: SignInRequest,
  primary: Tenant,
  tenancy: Tenancy | undefined,
): Promise<void> {
  for (const [i, { org, principal }] of admissions.entries()) {
    const isFirst = tenancy === undefined || org === tenancy.primaryId;
    // An organization that was deleted or damaged since then records nothing.
    const tenant = isFirst ? primary : await tenancy.open(org).catch(() => undefined);
    tenant?.record(request, reply, { ...notes, principal }, i === 0 ? undefined : 'audit');
  }
}
