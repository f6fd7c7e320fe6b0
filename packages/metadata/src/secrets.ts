import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

export type TokenKind = 'api' | 'personal';

const prefixes = { api: 'xaat-', personal: 'xapt-' } as const satisfies Record<TokenKind, string>;
const pattern = /^(xaat|xapt)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A new secret: 122 random bits, so that storing a plain hash of it is safe. */
export const newSecret = (kind: TokenKind): string => prefixes[kind] + randomUUID();

/**
 * A new one-time code that signs in one browser. It is as hard to guess as a token, though it is
 * valid for minutes only.
 */
export const newSignInCode = (): string => `xotc-${randomUUID()}`;

/** Whether a text has the form of a code. */
export const isSignInCode = (text: string): boolean =>
  /^xotc-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);

/** Content of the session cookie: 256 random bits. */
export const newSessionSecret = (): string => randomBytes(32).toString('base64url');

/** Whether a text has the form of a secret. */
export const isSecret = (text: string): boolean => pattern.test(text);

/** Stored instead of the secret. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

/** Compares two hashes in a time that does not depend on whether or where they differ. */
export function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}
