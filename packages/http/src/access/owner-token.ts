import type { Clock } from '@millrace/metadata/clock';
import { isIdentityToken } from '@millrace/metadata/sign-in/identity-token';
import type { Metadata } from '@millrace/metadata/metadata';
import { newSecret } from '@millrace/metadata/secrets';

/**
 * Creates a code that signs a browser in as the owner, for operators with access to the data
 * directory. The session belongs to one of the owner's tokens.
 * @returns undefined if the owner has no valid token
 */
export async function ownerSignIn({ users, tokens, sessions }: Metadata, clock: Clock): Promise<string | undefined> {
  const { id } = await users.owner();
  const token = (await tokens.list('personal')).find(
    ({ id: tokenId, userId, expires, within }) =>
      // Not a token that a user with fewer rights created for the owner.
      userId === id &&
      !isIdentityToken(tokenId) &&
      within === undefined &&
      (expires === undefined || Date.parse(expires) > clock()),
  );
  return token === undefined ? undefined : (await sessions.createCode(token.id)).code;
}

/** A token that has not been shown yet. */
interface NewOwnerToken {
  readonly secret: string;
  /** Stores the token, which makes it valid. */
  keep(): Promise<void>;
}

/**
 * The owner's token at startup: the one from the settings, which becomes valid now, or a new one if
 * the owner has none. The caller shows a new token before storing it: after a crash in between, the
 * next start creates another one, and no unseen token stays valid.
 */
export async function ownerToken(
  { users, tokens }: Metadata,
  fromSettings: string | undefined,
): Promise<NewOwnerToken | undefined> {
  const { id } = await users.owner();
  if (fromSettings !== undefined) {
    await tokens.setOwnerToken(id, fromSettings);
    return undefined;
  }
  if (await tokens.hasPersonalToken(id)) return undefined;
  const secret = newSecret('personal');
  return { secret, keep: () => tokens.setOwnerToken(id, secret) };
}
