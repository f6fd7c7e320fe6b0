import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Tokens of links in messages: the ID of a notification and an expiry, signed by the server. They
 * need no sign-in, so they allow only what a receiver of the message may do about it.
 */

/** Name of the server's key. */
export const linkKeyName = 'message links';

type LinkToken =
  | { readonly kind: 'valid'; readonly notification: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'invalid' };

/** @param expires milliseconds since the epoch */
export function linkToken(key: Buffer, notification: string, expires: number): string {
  const content = `${Buffer.from(notification).toString('base64url')}.${Math.ceil(expires / 1000).toString(36)}`;
  return `${content}.${signatureOf(key, content).toString('base64url')}`;
}

export function readLinkToken(key: Buffer, token: string, now: number): LinkToken {
  const [, content, signature] = /^([\w-]{1,400}\.[\da-z]{1,10})\.([\w-]{22})$/.exec(token) ?? [];
  if (content === undefined || signature === undefined) return { kind: 'invalid' };
  // Compared as text: several texts decode to the same bytes.
  const given = Buffer.from(signature);
  const expected = Buffer.from(signatureOf(key, content).toString('base64url'));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { kind: 'invalid' };
  const [id = '', expires = ''] = content.split('.');
  if (Number.parseInt(expires, 36) * 1000 <= now) return { kind: 'expired' };
  return { kind: 'valid', notification: Buffer.from(id, 'base64url').toString() };
}

/** 128 bits: links stay short enough for chats. */
const signatureOf = (key: Buffer, content: string): Buffer =>
  createHmac('sha256', key).update(content).digest().subarray(0, 16);
