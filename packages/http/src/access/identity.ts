import { httpError } from '@millrace/api/errors';
import type { Metadata } from '@millrace/metadata/metadata';
import type { AuthenticatedPrincipal, Principal } from './authorize.js';
import { anonymous } from './authenticate.js';

/** The user of a request: the owner of a personal token, or the creator of an API token. */
export function userIdOf(principal: Principal): string {
  if (principal.kind === 'anonymous') throw httpError('unauthenticated', { reason: anonymous });
  return principal.userId;
}

/**
 * Quota key of a principal: its token or its session. Sessions count separately, so that the
 * console and scripts with the same token do not use up each other's share.
 */
export const quotaKey = ({ tokenId, sessionId }: Pick<AuthenticatedPrincipal, 'tokenId' | 'sessionId'>): string =>
  sessionId === undefined ? `token ${tokenId}` : `session ${sessionId}`;

/** Display name of the principal that creates a resource, for `who`. */
export async function creatorOf({ users }: Metadata, principal: Principal): Promise<string> {
  if (principal.kind === 'anonymous') return '';
  return (await users.find(principal.userId))?.name ?? principal.tokenName;
}
