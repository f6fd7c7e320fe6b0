import { ApiError, createClient } from '@millrace/client';
import { consoleUrl, serverUrl } from './address/console-path.js';
import { chosenOrganization, forgetOrganization, orgHeader } from './organization.js';
import { sessionRefused } from './session.js';

/** API access with the session cookie. */

/** The server did not respond. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  constructor(cause: unknown) {
    super('The server is unreachable. Your input is preserved.', { cause });
  }
}

/** `fetch` with the headers of the console; detects the end of the session. */
async function consoleFetch(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('x-millrace-console', '1');
  const answer = await fetch(url, { ...init, headers, credentials: 'same-origin' }).catch((error: unknown) => {
    throw error instanceof TypeError ? new Unreachable(error) : error;
  });
  if (isUnauthenticated(answer) && !(await leftOrganization())) sessionRefused();
  return answer;
}

const isUnauthenticated = (answer: Response): boolean => answer.headers.get('x-millrace-error') === 'unauthenticated';

/** Shows the organization of the session if the person has left the chosen one. */
async function leftOrganization(): Promise<boolean> {
  if (chosenOrganization() === undefined) return false;
  const probe = await fetch(`${consoleUrl}api/v2/user`, { headers: { 'x-millrace-console': '1' } });
  if (isUnauthenticated(probe)) return false;
  forgetOrganization();
  location.assign(consoleUrl);
  return true;
}

/** All API operations, for the chosen organization: `api.call('listDatasets')`. */
export const api = createClient({
  url: `${consoleUrl}api`,
  fetch: (url, init) =>
    consoleFetch(url, { ...init, headers: { ...init.headers, ...orgHeader(chosenOrganization()) } }),
});

/** For the session itself, whichever organization is chosen. */
const sessionApi = createClient({ url: `${consoleUrl}api`, fetch: consoleFetch });

/**
 * Exchanges a token or sign-in code for a session.
 * @throws ApiError when invalid
 */
export async function signIn(secret: string): Promise<void> {
  await createClient({ url: serverUrl, token: secret.trim(), fetch: consoleFetch }).call('createSession');
}

/** @returns the page that signs out of the sign-in provider, if the browser is to open it */
export async function signOut(): Promise<string | undefined> {
  const { url } = await sessionApi.call('signOut');
  forgetOrganization();
  return url;
}

/** Signs in as the user whom a proxy in front of the server has signed in. */
export const proxySignIn = async (): Promise<void> => {
  await createClient({ url: serverUrl, fetch: consoleFetch }).call('createProxySession');
};

/** The server responded with an error; otherwise it is unreachable. */
export const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError;
