import { createCipheriv, createDecipheriv, randomBytes, randomInt } from 'node:crypto';

/**
 * The state of a sign-in between the redirect to a provider and its answer. The browser keeps it,
 * encrypted with a key that all nodes share, so starting sign-ins fills no table.
 */
export interface Attempt {
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Page to open afterwards. */
  readonly to: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

export const attemptMilliseconds = 10 * 60_000;
/** Concurrent attempts of a browser, such as tabs; a further one replaces an older one. */
const slots = 4;

/** Browsers accept the prefix over HTTPS only, and no other host can set such a cookie. */
const nameOf = (slot: number, secure: boolean): string => `${secure ? '__Host-' : ''}millrace-sign-in-${slot}`;

/** A slot for an attempt, and the start of its state. */
export function freeSlot(cookies: string | undefined, secure: boolean): number {
  const free = [...Array(slots).keys()].find((slot) => valuesIn(cookies, nameOf(slot, secure)).length === 0);
  return free ?? randomInt(slots);
}

export const newState = (slot: number): string => `${slot}${randomBytes(24).toString('base64url')}`;

interface CookiePlace {
  readonly secure: boolean;
  /** Path before `/sign-in` in the browser's address; empty for none. */
  readonly prefix: string;
}

/** The `Set-Cookie` header with an attempt. */
export function attemptCookie(attempt: Attempt, key: Buffer, { secure, prefix }: CookiePlace): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(attempt)), cipher.final()]);
  const value = Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  const name = nameOf(Number(attempt.state[0]), secure);
  const place = secure ? 'Path=/; Secure' : `Path=${prefix}/sign-in`;
  // Lax: the provider's answer is a navigation from another site.
  return `${name}=${value}; ${place}; Max-Age=${attemptMilliseconds / 1000}; HttpOnly; SameSite=Lax`;
}

/** The attempt with a state; undefined if this browser did not begin it or it is too old. */
export function attemptIn(
  cookies: string | undefined,
  state: string,
  { key, secure, now }: { readonly key: Buffer; readonly secure: boolean; readonly now: number },
): Attempt | undefined {
  const slot = Number(state[0]);
  if (!Number.isInteger(slot) || slot < 0 || slot >= slots) return undefined;
  const [value, ...others] = valuesIn(cookies, nameOf(slot, secure));
  if (value === undefined || others.length > 0) return undefined;
  const attempt = openAttempt(value, key);
  return attempt?.state === state && attempt.expires > now ? attempt : undefined;
}

function openAttempt(value: string, key: Buffer): Attempt | undefined {
  const bytes = Buffer.from(value, 'base64url');
  if (bytes.length < 28) return undefined;
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
    cipher.setAuthTag(bytes.subarray(12, 28));
    const text = Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString();
    // Only this server encrypts with the key.
    return JSON.parse(text) as Attempt;
  } catch {
    return undefined;
  }
}

const valuesIn = (header: string | undefined, name: string): readonly string[] =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
