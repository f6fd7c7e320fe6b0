import { httpError } from '../errors.js';
import type { Metadata } from '../metadata/metadata.js';
import type { AuthenticatedPrincipal, Principal } from './allowed.js';
import { noToken } from './authenticate.js';

/** The user behind a request: the owner of a personal token, or the creator of an API token. */
export function userIdOf(principal: Principal): string {
  if (principal.kind === 'anonymous') throw httpError('unauthenticated', { reason: noToken });
  return principal.userId;
}

/**
 * Who limits count: a token, or a session by itself, so that a page and the scripts of the same
 * token do not use up each other's share.
 */
export const partyOf = ({ tokenId, sessionId }: Pick<AuthenticatedPrincipal, 'tokenId' | 'sessionId'>): string =>
  sessionId === undefined ? `token ${tokenId}` : `session ${sessionId}`;

/** The name of whoever makes something, as it is shown in `who`. */
export async function creatorOf({ users }: Metadata, principal: Principal): Promise<string> {
  if (principal.kind === 'anonymous') return '';
  return (await users.find(principal.userId))?.name ?? principal.tokenName;
}
