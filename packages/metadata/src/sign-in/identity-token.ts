/** ID of the token that holds the sessions of an identity. */
export const identityTokenId = (identityId: string): string => `${prefix}${identityId}`;

const prefix = 'sso_';

/** The identity of such a token. */
export const identityOfToken = (tokenId: string): string => tokenId.slice(prefix.length);

/** Whether a token holds sessions of a provider's identity. */
export const isIdentityToken = (tokenId: string): boolean => tokenId.startsWith(prefix);
