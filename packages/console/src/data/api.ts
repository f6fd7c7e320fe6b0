import { ApiError, createClient } from '@millrace/client';
import { sessionRefused } from './session.js';

/** The server, as the cookie of the session may use it. */

const base = `${globalThis.location?.origin ?? 'http://localhost'}/console/api`;

/** Nobody answered. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  constructor(cause: unknown) {
    super('The server cannot be reached. What is typed here is kept.', { cause });
  }
}

/** `fetch` as the server wants it from the console; notices when the session is over. */
async function consoleFetch(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('x-millrace-console', '1');
  const answer = await fetch(url, { ...init, headers, credentials: 'same-origin' }).catch((error: unknown) => {
    throw error instanceof TypeError ? new Unreachable(error) : error;
  });
  if (answer.headers.get('x-millrace-error') === 'unauthenticated') sessionRefused();
  return answer;
}

/** All operations of the interface: `api.call('listDatasets')`. */
export const api = createClient({ url: base, fetch: consoleFetch });

/**
 * What only the console asks for, by path.
 * @throws ApiError when the server refuses
 */
export async function ask<T>(method: string, path: string, init: RequestInit = {}): Promise<T> {
  const answer = await consoleFetch(base + path, { method, ...init });
  const text = await answer.text();
  if (answer.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
  const { status, headers } = answer;
  throw new ApiError(messageOf(text) ?? `the server answered ${status}`, {
    status,
    code: status,
    reason: headers.get('x-millrace-error') ?? undefined,
    traceId: headers.get('x-axiom-trace-id') ?? undefined,
    retryAfter: undefined,
    detail: undefined,
  });
}

function messageOf(text: string): string | undefined {
  try {
    const { message, error } = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
    return [message, error].find((each) => typeof each === 'string');
  } catch {
    return undefined;
  }
}

/**
 * Exchanges a token, or the code of a one-time link, for a session.
 * @throws ApiError when it is not good
 */
export const signIn = (secret: string): Promise<unknown> =>
  ask('POST', '/session', { headers: { authorization: `Bearer ${secret.trim()}` } });

export const signOut = (): Promise<unknown> => ask('DELETE', '/v2/sessions/current');

/** The server was reached and said no; otherwise nobody answered. */
export const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError;
