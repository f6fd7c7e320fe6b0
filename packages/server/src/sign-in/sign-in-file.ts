import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { DatasetCapabilities, OrgCapabilities, ViewCapabilities } from '@millrace/api/schemas/capabilities';
import { optional } from '@millrace/api/schemas/parts';
import { isLoopback } from '@millrace/http/connections/sender';
import { SettingError, type Settings } from '@millrace/http/settings/settings';
import { isNetwork } from '@millrace/http/settings/network';

/** The file that `MILLRACE_SIGN_IN_FILE` names: who may sign in besides users with a token. */

const closedObject = { additionalProperties: false } as const;
const Id = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$' });
const Address = Type.String({ pattern: '^https?://[^\\s?#]+$' });
const Claims = Type.Record(Type.String(), Type.String());
const Text = Type.String({ minLength: 1, maxLength: 1024 });

/** How claims of a provider become users and rights. */
const mapping = {
  createUsers: optional(Type.Boolean()),
  require: optional(Claims),
  emailDomains: optional(Type.Array(Text, { minItems: 1 })),
  groupsClaim: optional(Text),
  groups: optional(Type.Record(Type.String(), Text)),
  roles: optional(Type.Array(Type.Object({ claim: Text, equals: Text, role: Text }, closedObject))),
  allowOwner: optional(Type.Boolean()),
  scimClaim: optional(Text),
};

/** Rules by ID of further organizations; an omitted rule grants nothing. */
const { emailDomains: _, ...mappingOfOrg } = mapping;
const Organizations = Type.Record(Type.String(), Type.Object(mappingOfOrg, closedObject));

const Provider = Type.Object(
  {
    id: Id,
    name: Text,
    issuer: Address,
    clientId: Text,
    clientSecretFile: optional(Text),
    scopes: optional(Text),
    logout: optional(Type.Union([Type.Literal('local'), Type.Literal('provider')])),
    autoStart: optional(Type.Boolean()),
    maxAge: optional(Type.Integer({ minimum: 0 })),
    prompt: optional(Text),
    clockTolerance: optional(Type.Integer({ minimum: 0, maximum: 300 })),
    organizations: optional(Organizations),
    ...mapping,
  },
  closedObject,
);

const Proxy = Type.Object(
  {
    id: Id,
    name: Text,
    addresses: Type.Array(Type.String(), { minItems: 1 }),
    jwt: optional(Type.Object({ header: Text, issuer: Address, audience: Text, keys: Address }, closedObject)),
    headers: optional(
      Type.Object({ user: Text, email: optional(Text), name: optional(Text), groups: optional(Text) }, closedObject),
    ),
    organizations: optional(Organizations),
    ...mapping,
  },
  closedObject,
);

const Workload = Type.Object(
  {
    name: Id,
    issuer: Address,
    audience: Text,
    match: Type.Record(Type.String(), Type.String(), { minProperties: 1 }),
    keys: optional(Address),
    capabilities: Type.Object(
      {
        datasetCapabilities: optional(DatasetCapabilities),
        orgCapabilities: optional(OrgCapabilities),
        viewCapabilities: optional(ViewCapabilities),
      },
      closedObject,
    ),
    seconds: optional(Type.Integer({ minimum: 60, maximum: 3600 })),
  },
  closedObject,
);

const SignInFile = Type.Object(
  {
    providers: optional(Type.Array(Provider, { maxItems: 20 })),
    proxies: optional(Type.Array(Proxy, { maxItems: 5 })),
    workloads: optional(Type.Array(Workload, { maxItems: 1000 })),
  },
  closedObject,
);

export type ClaimMapping = { readonly [K in keyof typeof mapping]?: Static<(typeof mapping)[K]> };
export type OrgMappings = Readonly<Record<string, ClaimMapping>>;
export type ProviderConfig = Static<typeof Provider> & { readonly clientSecret?: string };
export type ProxyConfig = Static<typeof Proxy>;
export type WorkloadRule = Static<typeof Workload>;

export interface SignInConfig {
  readonly providers: readonly ProviderConfig[];
  readonly proxies: readonly ProxyConfig[];
  readonly workloads: readonly WorkloadRule[];
}

export const noSignIn: SignInConfig = { providers: [], proxies: [], workloads: [] };

/**
 * Loads the file, and the client secrets in the files that it names, relative to it.
 * @throws SettingError
 */
export async function loadSignIn(settings: Pick<Settings, 'signInFile' | 'consoleUrl'>): Promise<SignInConfig> {
  const { signInFile: path, consoleUrl } = settings;
  if (path === undefined) return noSignIn;
  const parsed = parseSignIn(await textOf(path), path);
  if (parsed.providers.length > 0 && consoleUrl === undefined)
    throw new SettingError('consoleUrl', 'is required with sign-in providers: they send browsers back to this address');
  const providers = await Promise.all(
    parsed.providers.map(async (provider) => {
      if (provider.clientSecretFile === undefined) return provider;
      const clientSecret = (await textOf(resolve(dirname(path), provider.clientSecretFile))).trim();
      if (clientSecret === '') throw problem(`${provider.clientSecretFile} is empty`);
      return { ...provider, clientSecret };
    }),
  );
  return { ...parsed, providers };
}

/** @throws SettingError */
export function parseSignIn(text: string, path: string): SignInConfig {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw problem(`${path} is not valid JSON`, error);
  }
  if (!Value.Check(SignInFile, value)) {
    const [first] = [...Value.Errors(SignInFile, value)];
    throw problem(`${path}: ${first === undefined ? 'unknown member' : `${first.instancePath} ${first.message}`}`);
  }
  const config = { ...noSignIn, ...value };
  const { providers, proxies, workloads } = config;
  for (const ids of [[...providers, ...proxies].map(({ id }) => id), workloads.map(({ name }) => name)])
    if (new Set(ids).size < ids.length) throw problem(`${path} uses an id twice: ${ids.join(', ')}`);
  for (const { issuer } of [...providers, ...workloads]) requireSecure(issuer, path);
  for (const { id, jwt, headers, addresses } of proxies) {
    if ((jwt === undefined) === (headers === undefined))
      throw problem(`${path}: proxy '${id}' needs either "jwt" or "headers"`);
    const bad = addresses.find((address) => !isNetwork(address) || address.endsWith('/0'));
    if (bad !== undefined) throw problem(`${path}: proxy '${id}' cannot be trusted at '${bad}'; name its address`);
    if (jwt !== undefined) requireSecure(jwt.keys, path);
  }
  return config;
}

/** Keys and codes over plain HTTP could be replaced on the way. */
function requireSecure(address: string, path: string): void {
  const { protocol, host } = new URL(address);
  if (protocol !== 'https:' && !isLoopback(host)) throw problem(`${path}: ${address} must use HTTPS`);
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw problem(`${path} cannot be read`, error);
  }
}

const problem = (text: string, cause?: unknown): SettingError => new SettingError('signInFile', text, { cause });
