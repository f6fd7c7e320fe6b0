import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadSignIn, parseSignIn } from './sign-in-file.js';

const directory = mkdtempSync(join(tmpdir(), 'millrace-sign-in-'));
afterAll(() => rmSync(directory, { recursive: true }));

const provider = { id: 'okta', name: 'Okta', issuer: 'https://example.okta.com', clientId: 'millrace' };
const proxy = { id: 'front', name: 'Front', addresses: ['10.0.0.7'], headers: { user: 'X-Forwarded-User' } };
const jwt = {
  header: 'Cf-Access-Jwt-Assertion',
  issuer: 'https://team.example',
  audience: 'a',
  keys: 'https://team.example/certs',
};
const workload = {
  name: 'ci',
  issuer: 'https://token.example',
  audience: 'millrace',
  match: { sub: 'x' },
  capabilities: {},
};

test.each<[string, object, RegExp | undefined]>([
  ['nothing', {}, undefined],
  ['one of each', { providers: [provider], proxies: [proxy], workloads: [workload] }, undefined],
  ['a signed assertion', { proxies: [{ ...proxy, headers: undefined, jwt }] }, undefined],
  ['a provider on this machine', { providers: [{ ...provider, issuer: 'http://localhost:9000/x' }] }, undefined],
  ['a provider over plain HTTP', { providers: [{ ...provider, issuer: 'http://sso.example' }] }, /must use HTTPS/],
  [
    'keys over plain HTTP',
    { proxies: [{ ...proxy, headers: undefined, jwt: { ...jwt, keys: 'http://a.example' } }] },
    /must use HTTPS/,
  ],
  ['a misspelt member', { providers: [{ ...provider, clientID: 'x' }] }, /clientID|\/providers\/0/],
  ['a missing member', { providers: [{ ...provider, clientId: undefined }] }, /\/providers\/0/],
  ['two with the same id', { providers: [provider, provider] }, /twice: okta, okta/],
  ['a proxy at every address', { proxies: [{ ...proxy, addresses: ['0.0.0.0/0'] }] }, /cannot be trusted/],
  ['a proxy at a name', { proxies: [{ ...proxy, addresses: ['proxy.example'] }] }, /cannot be trusted/],
  ['a proxy of both kinds', { proxies: [{ ...proxy, jwt }] }, /either "jwt" or "headers"/],
  ['a workload that matches all tokens', { workloads: [{ ...workload, match: {} }] }, /\/workloads\/0\/match/],
  ['a token for a day', { workloads: [{ ...workload, seconds: 86_400 }] }, /\/workloads\/0\/seconds/],
])('%s', (_, content, problem) => {
  const parse = () => parseSignIn(JSON.stringify(content), 'file.json');
  if (problem === undefined) expect(parse).not.toThrow();
  else expect(parse).toThrow(problem);
});

test('client secrets are in files next to it; providers need the address of the console', async () => {
  const signInFile = join(directory, 'sign-in.json');
  writeFileSync(signInFile, JSON.stringify({ providers: [{ ...provider, clientSecretFile: 'okta.secret' }] }));
  await expect(loadSignIn({ signInFile, consoleUrl: 'https://logs.example' })).rejects.toThrow(
    /okta.secret cannot be read/,
  );
  writeFileSync(join(directory, 'okta.secret'), 'hush\n');
  const { providers } = await loadSignIn({ signInFile, consoleUrl: 'https://logs.example' });
  expect(providers).toMatchObject([{ clientSecret: 'hush' }]);
  await expect(loadSignIn({ signInFile, consoleUrl: undefined })).rejects.toThrow(/MILLRACE_CONSOLE_URL: is required/);
  writeFileSync(signInFile, '{');
  await expect(loadSignIn({ signInFile, consoleUrl: undefined })).rejects.toThrow(/not valid JSON/);
  expect((await loadSignIn({ signInFile: undefined, consoleUrl: undefined })).providers).toEqual([]);
});
