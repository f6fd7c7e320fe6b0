import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

export type TokenKind = 'api' | 'personal';

const prefixes = { api: 'xaat-', personal: 'xapt-' } as const satisfies Record<TokenKind, string>;
const pattern = /^(xaat|xapt)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * A new secret: at least 110 random bits, so that storing a plain hash of it is safe.
 * @param org number of the organization
 */
export const newSecret = (kind: TokenKind, org = 0): string => prefixes[kind] + newUuid(org);

/**
 * A random UUID. Those of further organizations have the version 8 and the number of the
 * organization behind it: a request of a program that sends nothing but its token leads there
 * without a search through the tokens of all.
 */
function newUuid(org: number): string {
  const uuid = randomUUID();
  return org === 0 ? uuid : `${uuid.slice(0, 14)}8${org.toString(16).padStart(3, '0')}${uuid.slice(18)}`;
}

/** The number of the organization that a token, code or session names; 0 for the first. */
export function orgNumberIn(secret: string): number {
  const [, ofUuid, ofSession] = /^(?:x(?:aat|apt|otc)-.{14}8([0-9a-f]{3})-|([0-9a-f]{3})\.)/.exec(secret) ?? [];
  return Number.parseInt(ofUuid ?? ofSession ?? '0', 16);
}

/**
 * A new one-time code that signs in one browser. It is as hard to guess as a token, though it is
 * valid for minutes only.
 */
export const newSignInCode = (org = 0): string => `xotc-${newUuid(org)}`;

/** Whether a text has the form of a code. */
export const isSignInCode = (text: string): boolean =>
  /^xotc-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);

/** Content of the session cookie: 256 random bits, after the number of a further organization. */
export const newSessionSecret = (org = 0): string =>
  (org === 0 ? '' : `${org.toString(16).padStart(3, '0')}.`) + randomBytes(32).toString('base64url');

/** Whether a text has the form of a secret. */
export const isSecret = (text: string): boolean => pattern.test(text);

/** Stored instead of the secret. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

/** Compares two hashes in a time that does not depend on whether or where they differ. */
export function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}
