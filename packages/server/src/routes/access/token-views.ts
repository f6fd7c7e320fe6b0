import type { IssuedToken, TokenRecord } from '../../metadata/tokens.js';
import type { Token } from '../../schemas/token.js';

/**
 * An API token as the interface shows it, without its secret. Rights on views are left out if there
 * are none: Axiom's clients compare what they sent.
 */
export function tokenView({ id, name, description, expires, capabilities }: TokenRecord): Token {
  const { viewCapabilities, ...others } = capabilities;
  return {
    id,
    name,
    description,
    expiresAt: expires ?? null,
    ...others,
    ...(Object.keys(viewCapabilities).length > 0 && { viewCapabilities }),
    samlAuthenticated: false,
  };
}

/** A personal token as the interface shows it, without its secret. */
export const personalTokenView = ({ id, name, description, expires, userId, created }: TokenRecord) => ({
  id,
  name,
  description,
  expiresAt: expires ?? null,
  userId,
  created,
});

/** An API token that has just been made, with its secret. */
export const issuedView = ({ token, secret }: IssuedToken) => ({ ...tokenView(token), token: secret });

/** A personal token that has just been made, with its secret. */
export const issuedPersonalView = ({ token, secret }: IssuedToken) => ({ ...personalTokenView(token), token: secret });

/**
 * The same with when it was used last: only where tokens are looked at, not where they are made or
 * changed.
 */
export function withLastUse<T extends { readonly id: string }>(view: T, uses: ReadonlyMap<string, string>) {
  const lastUsed = uses.get(view.id);
  return { ...view, ...(lastUsed !== undefined && { lastUsed }) };
}
