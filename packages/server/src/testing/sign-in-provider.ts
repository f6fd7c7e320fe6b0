// For tests of other packages, which import this file alone.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./oidc-provider.d.ts" />
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

/** Claims of a person at the provider. */
type Claims = Readonly<Record<string, unknown>>;

/** A real OpenID Connect provider that signs its current account in without a question. */
export interface TestProvider {
  readonly issuer: string;
  /** The account that signs in next. */
  account: { readonly sub: string; readonly claims: Claims };
  /** Replaces the keys; tokens of the old ones become invalid. */
  rotateKeys(): Promise<void>;
  /** Whether it responds. */
  up: boolean;
  /**
   * Makes the ID token of the next answers, from correct claims, instead of the provider. The
   * requests before it and after it are real.
   */
  forge: ((claims: Claims) => Promise<string>) | undefined;
  /** Signs any claims with the present key. */
  sign(
    claims: Claims,
    options?: { readonly typ?: string; readonly key?: KeyObject; readonly kid?: string },
  ): Promise<string>;
  close(): Promise<void>;
}

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

export async function openTestProvider(client: Client): Promise<TestProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => {
    if (state.up) handle(request, response);
    else response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let key: KeyObject;
  let kid = '';
  const begin = async (): Promise<void> => {
    key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    kid = randomUUID();
    const jwk = { ...(await exportJWK(key)), kid, use: 'sig', alg: 'RS256' };
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: client.clientId,
          client_secret: client.clientSecret,
          redirect_uris: [client.redirectUri],
          post_logout_redirect_uris: [new URL('/console/', client.redirectUri).href],
        },
      ],
      jwks: { keys: [jwk] },
      cookies: { keys: ['test'] },
      pkce: { required: () => true },
      claims: { openid: ['sub', 'groups', 'department'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, ...(state.account.sub === sub ? state.account.claims : {}) }),
      }),
    });
    const serve = provider.callback();
    handle = (request, response) => {
      if (request.url?.startsWith('/interaction/') === true) void agree(provider, request, response);
      else if (request.url === '/token' && state.forge !== undefined)
        forgeAnswer(serve, request, response, state.forge);
      else serve(request, response);
    };
  };
  const agree = async (provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { params } = await provider.interactionDetails(request, response);
    const accountId = state.account.sub;
    const grant = new provider.Grant({ accountId, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    await provider.interactionFinished(request, response, {
      login: { accountId, remember: false },
      consent: { grantId: await grant.save() },
    });
  };
  const state: TestProvider = {
    issuer,
    account: { sub: 'ada', claims: {} },
    up: true,
    forge: undefined,
    rotateKeys: begin,
    sign: (claims, { typ = 'JWT', key: other = key, kid: named = kid } = {}) =>
      new SignJWT({ iss: issuer, ...claims }).setProtectedHeader({ alg: 'RS256', kid: named, typ }).sign(other),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  await begin();
  return state;
}

/** Lets the provider answer, and replaces the ID token in its answer. */
function forgeAnswer(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  request: IncomingMessage,
  response: ServerResponse,
  forge: (claims: Claims) => Promise<string>,
): void {
  const end = response.end.bind(response);
  response.end = ((content: string | Buffer) => {
    const answer = JSON.parse(String(content)) as Record<string, unknown>;
    const send = async (): Promise<void> => {
      const text = JSON.stringify({ ...answer, id_token: await forge(decodeJwt(String(answer.id_token))) });
      response.setHeader('content-length', Buffer.byteLength(text));
      end(text);
    };
    void send();
    return response;
  }) as typeof response.end;
  serve(request, response);
}

/** A browser at a provider: follows its redirects with its cookies, up to an address elsewhere. */
export async function followProvider(start: string, jar = new Map<string, string>()): Promise<URL> {
  const origin = new URL(start).origin;
  let at = start;
  for (let hops = 0; hops < 10 && new URL(at).origin === origin; hops++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]!.split(/=(.*)/s);
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    at = new URL(location, at).href;
  }
  return new URL(at);
}
