import type { IssuedToken, TokenRecord } from '@millrace/metadata/tokens';
import type { Token } from '@millrace/api/schemas/token';

/**
 * An API token as the API returns it, without its secret. Omits view rights if there are none:
 * Axiom's clients compare the response with their request.
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

/** A newly created API token, with its secret. */
export const issuedView = ({ token, secret }: IssuedToken) => ({ ...tokenView(token), token: secret });

/** A newly created personal token, with its secret. */
export const issuedPersonalView = ({ token, secret }: IssuedToken) => ({ ...personalTokenView(token), token: secret });

/** Adds the time of the last use. Only for reads: creating or updating a token does not show it. */
export function addLastUse<T extends { readonly id: string }>(view: T, uses: ReadonlyMap<string, string>) {
  const lastUsed = uses.get(view.id);
  return { ...view, ...(lastUsed !== undefined && { lastUsed }) };
}
