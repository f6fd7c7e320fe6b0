import type { Clock } from '../metadata/clock.js';
import type { Metadata } from '../metadata/metadata.js';
import { newSecret } from '../metadata/secrets.js';

/**
 * A code that signs a browser in as the owner, for whoever has the data directory. It needs a token
 * of the owner's to stand for.
 * @returns undefined if the owner has none that works
 */
export async function ownerSignIn({ users, tokens, sessions }: Metadata, clock: Clock): Promise<string | undefined> {
  const { id } = await users.owner();
  const token = (await tokens.list('personal')).find(
    ({ userId, expires, within }) =>
      // Not one that somebody with fewer rights made for the owner.
      userId === id && within === undefined && (expires === undefined || Date.parse(expires) > clock()),
  );
  return token === undefined ? undefined : (await sessions.createCode(token.id)).code;
}

/** A token nobody has seen yet. */
interface NewOwnerToken {
  readonly secret: string;
  /** Makes the token work. */
  keep(): Promise<void>;
}

/**
 * The token of the owner at a start: the one in the settings, which works from here on, or a new
 * one if otherwise nobody could log in as the owner. A new one has to be shown before it is kept,
 * so that a crash in between leaves no token that nobody has seen: the next start makes another
 * one.
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
