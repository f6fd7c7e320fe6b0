import type { Metadata } from '../metadata/metadata.js';
import { newSecret } from './secrets.js';

export interface OwnerToken {
  /** To be shown to the operator before `keep`; absent when there is nothing to show. */
  readonly secret?: string;
  /** Makes the token work. */
  keep(): Promise<void>;
}

/**
 * The token of the owner at a start: the one of the settings, or a new one if nobody could log in as the owner otherwise. It is shown first and
 * kept then, so that a crash in between leaves no token that nobody has seen: the next start makes another one.
 */
export async function ownerToken({ users, tokens }: Metadata, fromSettings: string | undefined): Promise<OwnerToken> {
  const { id } = await users.owner();
  if (fromSettings !== undefined) return { keep: () => tokens.setOwnerToken(id, fromSettings) };
  if (await tokens.hasPersonalToken(id)) return { keep: async () => {} };
  const secret = newSecret('personal');
  return { secret, keep: () => tokens.setOwnerToken(id, secret) };
}
