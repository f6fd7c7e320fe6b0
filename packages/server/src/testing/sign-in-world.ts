import type { Settings } from '@millrace/http/settings/settings';
import type { ProviderConfig, SignInConfig } from '../sign-in/sign-in-file.js';
import { followProvider, openTestProvider, type TestProvider } from './sign-in-provider.js';
import { createTestServer, type Reply, type TestServer } from './test-server.js';

export const consoleAddress = 'http://localhost/console';
const clientSecret = 'secret-of-the-client';

/** Two providers, and servers that sign users in with them. */
export interface SignInWorld {
  readonly one: TestProvider;
  readonly two: TestProvider;
  /** A new server; the last one is closed. */
  open(
    changes?: Partial<ProviderConfig>,
    settings?: Partial<Settings>,
    more?: Partial<SignInConfig>,
  ): Promise<TestServer>;
  close(): Promise<void>;
}

export async function openSignInWorld(): Promise<SignInWorld> {
  const [one, two] = await Promise.all(
    ['one', 'two'].map((id) =>
      openTestProvider({ clientId: 'millrace', clientSecret, redirectUri: `http://localhost/sign-in/${id}/callback` }),
    ),
  );
  let server: TestServer | undefined;
  return {
    one: one!,
    two: two!,
    open: async (changes = {}, settings = {}, more = {}) => {
      await server?.close();
      for (const provider of [one!, two!]) Object.assign(provider, { up: true, forge: undefined });
      const configOf = (id: string, { issuer }: TestProvider): ProviderConfig => ({
        id,
        name: `Provider ${id}`,
        issuer,
        clientId: 'millrace',
        clientSecret,
        createUsers: true,
        ...changes,
      });
      server = await createTestServer({
        now: Date.now(),
        settings: { consoleUrl: consoleAddress, ...settings },
        signIn: { providers: [configOf('one', one!), configOf('two', two!)], ...more },
      });
      return server;
    },
    close: async () => {
      await server?.close();
      await Promise.all([one!.close(), two!.close()]);
    },
  };
}

export const cookieOf = ({ headers }: Reply): string => String(headers['set-cookie']).split(';')[0]!;

/** Why a sign-in failed, as the console shows it; undefined if it did not. */
export const problemOf = ({ headers }: Reply): string | undefined =>
  /#sign-in=([\w-]+)\./.exec(String(headers.location))?.[1];

interface StartedSignIn {
  readonly cookie: string;
  readonly callback: string;
}

/** Starts a sign-in, and lets the provider answer. */
export async function startSignIn(server: TestServer, id = 'one', to = ''): Promise<StartedSignIn> {
  const begun = await server.send('GET', `/sign-in/${id}${to}`, undefined, null);
  if (problemOf(begun) !== undefined) throw new Error(`the sign-in did not begin: ${problemOf(begun)}`);
  const answer = await followProvider(String(begun.headers.location));
  return { cookie: cookieOf(begun), callback: `${answer.pathname}${answer.search}` };
}

export const finishSignIn = (server: TestServer, { cookie, callback }: StartedSignIn): Promise<Reply> =>
  server.send('GET', callback, undefined, null, { cookie });

export const signIn = async (server: TestServer, id = 'one', to = ''): Promise<Reply> =>
  finishSignIn(server, await startSignIn(server, id, to));

/** A request of the console with the cookie of a session. */
export const asConsole = (
  server: TestServer,
  cookie: string,
  path = '/v2/user',
  method: 'GET' | 'POST' = 'GET',
  body?: unknown,
): Promise<Reply> =>
  server.send(method, `/console/api${path}`, body, null, {
    cookie,
    'x-millrace-console': '1',
    'sec-fetch-site': 'same-origin',
  });

export const ada = { email: 'ada@example.com', email_verified: true, name: 'Ada' };

/** A group of readers. */
export const newGroup = ({ metadata: { groups } }: TestServer, name: string, members: readonly string[] = []) =>
  groups.create({ name, description: '', members: [...members], roles: ['read-only'], isManaged: false });
