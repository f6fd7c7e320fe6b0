import { ApiError, createClient } from '@millrace/client';
import { sessionRefused } from './session.js';

/** The server, as the cookie of the session may use it. */

const origin = globalThis.location?.origin ?? 'http://localhost';

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
export const api = createClient({ url: `${origin}/console/api`, fetch: consoleFetch });

/**
 * Exchanges a token, or the code of a one-time link, for a session.
 * @throws ApiError when it is not good
 */
export async function signIn(secret: string): Promise<void> {
  await createClient({ url: origin, token: secret.trim(), fetch: consoleFetch }).call('createSession');
}

export const signOut = (): Promise<undefined> => api.call('endSession', { params: { id: 'current' } });

/** The server was reached and said no; otherwise nobody answered. */
export const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError;
