import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { addressesOf } from '@millrace/http/settings/clickhouse-settings';
import { readSettings } from '@millrace/http/settings/settings';
import { replicaGrants } from './support/clickhouse-rights.ts';
import { root } from './support/root.ts';

/**
 * The files of `deploy/cluster` are consistent with each other, the settings and the docs. Starts
 * nothing.
 */

const directory = join(root, 'deploy', 'cluster');
const textOf = (name: string): string => readFileSync(join(directory, name), 'utf8');

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[];
}
const { services, volumes } = parse(textOf('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const findServices = (begins: string): readonly (readonly [string, Service])[] =>
  Object.entries(services).filter(([name]) => name.startsWith(begins));

/** Replaces the variables as compose does. */
const fillVariables = (text: string): string =>
  text.replaceAll(/\$\{\w+:\?\}/g, 'xapt-00000000-0000-4000-8000-000000000001');

/**
 * The elements of a file as `a/b/c`, with their texts and attributes. Throws where an element is
 * not closed as it was opened.
 */
function elementsOf(xml: string): readonly { readonly path: string; readonly text: string; readonly env?: string }[] {
  const open: string[] = [];
  const found: { path: string; text: string; env?: string }[] = [];
  const plain = xml.replaceAll(/<!--[^]*?-->/g, '');
  for (const [, closing, name = '', attributes = '', self, text = ''] of plain.matchAll(
    /<(\/?)(\w+)([^>]*?)(\/?)>([^<]*)/g,
  )) {
    if (closing === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes something else`);
      continue;
    }
    const env = /from_env="(\w+)"/.exec(attributes)?.[1];
    found.push({ path: [...open, name].join('/'), text: text.trim(), ...(env !== undefined && { env }) });
    if (self !== '/') open.push(name);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is not closed`);
  return found;
}
const textsAt = (xml: string, path: string): readonly string[] =>
  elementsOf(xml).flatMap((element) => (element.path === path ? [element.text] : []));

describe('the compose file', () => {
  it('gives three nodes settings that there are, the same ones, and not one that would be refused', () => {
    const nodes = findServices('millrace');
    expect(nodes).toHaveLength(3);
    for (const [name, { environment = {} }] of nodes) {
      const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, fillVariables(value)]));
      const read = readSettings(env, []);
      expect([name, read.ok ? [] : read.errors]).toEqual([name, []]);
      expect(environment).toEqual(nodes[0]![1].environment);
    }
  });

  it('has a service for each address, and a volume for each that keeps something', () => {
    const { environment = {} } = services['millrace1']!;
    const hosts = addressesOf(environment['MILLRACE_CLICKHOUSE_URL']!).map((url) => new URL(url).hostname);
    expect(hosts).toEqual(findServices('clickhouse').map(([name]) => name));
    expect(new URL(fillVariables(environment['MILLRACE_DATABASE_URL']!)).hostname).toBe('postgres');
    for (const { depends_on = [] } of Object.values(services))
      for (const name of depends_on) expect(Object.keys(services)).toContain(name);
    const used = Object.values(services).flatMap(({ volumes: places = [] }) =>
      places.map((place) => place.split(':')[0]!),
    );
    expect(used.filter((place) => !place.startsWith('./')).toSorted()).toEqual(Object.keys(volumes).toSorted());
    // The operator brings the certificate.
    for (const place of used) if (place.startsWith('./') && place !== './both.pem') expect(textOf(place)).not.toBe('');
  });

  it('gives each server of a kind a distinct name, which its file takes from the environment', () => {
    for (const [kind, file, path, variable] of [
      ['clickhouse', 'clickhouse/replica.xml', 'clickhouse/macros/replica', 'REPLICA'],
      ['keeper', 'keeper/keeper.xml', 'clickhouse/keeper_server/server_id', 'KEEPER_ID'],
    ] as const) {
      expect(elementsOf(textOf(file)).find((element) => element.path === path)?.env).toBe(variable);
      const names = findServices(kind).map(([, { environment = {} }]) => environment[variable]);
      expect([names.length, new Set(names).size]).toEqual([3, 3]);
    }
  });
});

describe('the files of the servers', () => {
  it('know each other', () => {
    const replica = textOf('clickhouse/replica.xml');
    const keepers = findServices('keeper').map(([name]) => name);
    expect(textsAt(replica, 'clickhouse/zookeeper/node/host')).toEqual(keepers);
    const keeper = textOf('keeper/keeper.xml');
    expect(textsAt(keeper, 'clickhouse/keeper_server/raft_configuration/server/hostname')).toEqual(keepers);
    expect(new Set(textsAt(replica, 'clickhouse/zookeeper/node/port'))).toEqual(
      new Set(textsAt(keeper, 'clickhouse/keeper_server/tcp_port')),
    );
    expect(textsAt(keeper, 'clickhouse/keeper_server/raft_configuration/server/id')).toEqual(
      findServices('keeper').map(([, { environment = {} }]) => environment['KEEPER_ID']),
    );
    const backends = [...textOf('haproxy.cfg').matchAll(/^ {2}server (\w+) (\w+):8080$/gm)].map(([, , host]) => host);
    expect(backends).toEqual(findServices('millrace').map(([name]) => name));
    // Nodes believe the balancer, which replaces what clients claim.
    const frontends = textOf('haproxy.cfg')
      .split(/^frontend /m)
      .slice(1);
    for (const text of frontends)
      expect(text).toMatch(/http-request set-header X-Forwarded-For %\[src\]\n.*set-header X-Forwarded-Proto https?\n/);
    expect(frontends).toHaveLength(2);
    for (const [, { environment = {} }] of findServices('millrace'))
      expect(environment['MILLRACE_TRUSTED_PROXIES']).toContain('172.16.0.0/12');
  });

  it('take everything from the environment that a service has', () => {
    for (const [kind, files] of [
      ['clickhouse', ['clickhouse/replica.xml', 'clickhouse/user.xml']],
      ['keeper', ['keeper/keeper.xml']],
    ] as const) {
      const needed = files.flatMap((file) => elementsOf(textOf(file)).flatMap(({ env }) => env ?? []));
      for (const [name, { environment = {} }] of findServices(kind))
        expect([name, Object.keys(environment).toSorted()]).toEqual([name, [...new Set(needed)].toSorted()]);
    }
    // The node uses the password that the user has.
    const [given, used] = [services['clickhouse1'], services['millrace1']].map((each) => each!.environment!);
    expect(used!['MILLRACE_CLICKHOUSE_PASSWORD']).toBe(given!['USER_PASSWORD']);
    expect(used!['MILLRACE_DATABASE_URL']).toContain(services['postgres']!.environment!['POSTGRES_PASSWORD']);
  });

  it('give the user the rights that the pages name, and no others', () => {
    expect(textsAt(textOf('clickhouse/user.xml'), 'clickhouse/users/millrace/grants/query').toSorted()).toEqual(
      replicaGrants.toSorted(),
    );
  });
});
