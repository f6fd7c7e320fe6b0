import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '@millrace/http/settings/settings';
import { root } from './support/root.ts';

/**
 * The files of `deploy` for one server are consistent with each other, the settings and the
 * package. Starts nothing.
 */

const directory = join(root, 'deploy');
const textOf = (...path: readonly string[]): string => readFileSync(join(directory, ...path), 'utf8');
const token = 'xapt-00000000-0000-4000-8000-000000000001';

/** The settings that an environment results in; fails on names and values that there are not. */
function settingsOf(environment: Readonly<Record<string, string>>) {
  const read = readSettings(environment, []);
  if (!read.ok) throw new Error(read.errors.join('\n'));
  return read.settings;
}

describe('the image', () => {
  const lines = textOf('server', 'Dockerfile').replaceAll('\\\n', '').split('\n');
  const instruction = (name: string): string => {
    const found = lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
    expect(found, name).toHaveLength(1);
    return found[0]!;
  };
  const environment = Object.fromEntries(
    instruction('ENV')
      .trim()
      .split(/ +/)
      .map((pair) => pair.split('=') as [string, string]),
  );
  delete environment['NODE_ENV'];

  it('has settings that there are, and the volume and ports that they name', () => {
    const { host, port, dataDir, otlpGrpc } = settingsOf(environment);
    expect([host, instruction('VOLUME'), instruction('EXPOSE')]).toEqual([
      '0.0.0.0',
      dataDir,
      `${port} ${otlpGrpc!.split(':')[1]}`,
    ]);
  });

  it('needs no shell to run, and no rights', () => {
    const health = instruction('HEALTHCHECK');
    const words = JSON.parse(/\[.*\]$/.exec(health)![0]) as readonly string[];
    expect(words[0]).toBe((JSON.parse(instruction('ENTRYPOINT')) as readonly string[])[0]);
    expect(words.at(-1)).toContain(`http://127.0.0.1:${settingsOf(environment).port}/healthz`);
    expect(JSON.parse(instruction('CMD'))).toEqual(['serve']);
    expect(instruction('USER')).toBe('65532:65532');
  });

  it('runs the program of the package', () => {
    const [, program = ''] = JSON.parse(instruction('ENTRYPOINT')) as readonly string[];
    const { bin } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as {
      readonly bin: { readonly millrace: string };
    };
    expect(program).toBe(join('/opt/millrace/node_modules/millrace', bin.millrace));
  });
});

it('the compose file has settings that there are, and the ports and the volume of the image', () => {
  const { services } = parse(textOf('server', 'compose.yaml')) as {
    readonly services: Readonly<Record<string, Compose>>;
  };
  const { environment, ports, volumes, read_only, stop_grace_period } = services['millrace']!;
  const given = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(/^\$\{\w+:\?\}$/, token)]),
  );
  const { shutdownTimeout } = settingsOf(given);
  expect(Number.parseInt(stop_grace_period, 10) * 1000).toBeGreaterThan(shutdownTimeout);
  // Reachable from this machine only: tokens are sent in plain text.
  expect(ports).toEqual(['127.0.0.1:8080:8080', '127.0.0.1:4317:4317']);
  expect([volumes, read_only]).toEqual([['data:/data'], true]);
});

interface Compose {
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
  readonly read_only: boolean;
  readonly stop_grace_period: string;
}

describe('the Kubernetes manifests', () => {
  const names = readdirSync(join(directory, 'kubernetes'));
  const manifests = new Map(
    names.map((name) => {
      const manifest = parse(textOf('kubernetes', name)) as Manifest;
      return [manifest.kind, manifest] as const;
    }),
  );
  const { spec } = manifests.get('StatefulSet')!;
  const pod = spec.template!.spec;
  const [container] = pod.containers;

  it('are listed, but for the one that needs an operator', () => {
    const { resources } = manifests.get('Kustomization')!;
    expect(resources!.toSorted()).toEqual(
      names.filter((name) => name !== 'kustomization.yaml' && name !== 'service-monitor.yaml').toSorted(),
    );
  });

  it('have settings that there are, and a token that must be replaced', () => {
    const secret = manifests.get('Secret')!.stringData!;
    const plain = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]));
    expect(() => settingsOf({ ...plain, ...secret })).toThrow('MILLRACE_ADMIN_TOKEN');
    const { shutdownTimeout, dataDir, engineMemoryBytes } = settingsOf({ ...plain, MILLRACE_ADMIN_TOKEN: token });
    expect(container!.envFrom).toEqual([{ secretRef: { name: manifests.get('Secret')!.metadata.name } }]);
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(shutdownTimeout);
    const [mount] = container!.volumeMounts;
    expect(mount!.name).toBe(spec.volumeClaimTemplates![0]!.metadata.name);
    expect(dataDir.startsWith(`${mount!.mountPath}/`)).toBe(true);
    expect(container!.resources.limits.memory).toBe(`${(2 * engineMemoryBytes) / 2 ** 30}Gi`);
  });

  it('select the pod, and name its ports', () => {
    const labels = spec.template!.metadata.labels;
    for (const kind of ['Service', 'ServiceMonitor', 'PodDisruptionBudget', 'StatefulSet']) {
      const { selector } = manifests.get(kind)!.spec;
      expect(selector?.matchLabels ?? selector, kind).toEqual(labels);
    }
    const ports = container!.ports.map(({ name, containerPort }) => [name, containerPort]);
    const service = manifests.get('Service')!.spec.ports!;
    expect(service.map(({ targetPort, port }) => [targetPort, port])).toEqual(ports);
    expect(spec.serviceName).toBe(manifests.get('Service')!.metadata.name);
    const [endpoint] = manifests.get('ServiceMonitor')!.spec.endpoints!;
    expect(service.map(({ name }) => name)).toContain(endpoint!.port);
  });

  it('run as the user of the image, which may write only to the volume', () => {
    const [, user] = /^USER (\d+):/m.exec(textOf('server', 'Dockerfile'))!;
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user), fsGroup: Number(user) });
    expect(container!.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('restart no server that is only not ready', () => {
    expect(container!.readinessProbe).toMatchObject({ httpGet: { path: '/healthz', port: 'http' } });
    for (const probe of [container!.livenessProbe, container!.startupProbe])
      expect(probe).toMatchObject({ tcpSocket: { port: 'http' } });
  });
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly resources?: readonly string[];
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector?: Readonly<Record<string, unknown>>;
    readonly serviceName?: string;
    readonly ports?: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
    readonly endpoints?: readonly { readonly port: string }[];
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
    readonly template?: { readonly metadata: { readonly labels: object }; readonly spec: Pod };
  };
}

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly {
    readonly env: readonly { readonly name: string; readonly value: string }[];
    readonly envFrom: readonly object[];
    readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
    readonly resources: { readonly limits: { readonly memory: string } };
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
    readonly securityContext: object;
    readonly readinessProbe: object;
    readonly livenessProbe: object;
    readonly startupProbe: object;
  }[];
}

describe('the configurations of shippers', () => {
  it('of the Collector uses each of its parts, and sends with a token and a dataset', () => {
    const config = parse(textOf('collector', 'config.yaml'), { merge: true }) as Collector;
    const pipelines = Object.values(config.service.pipelines);
    for (const kind of ['receivers', 'processors', 'exporters'] as const)
      expect(Object.keys(config[kind]).toSorted()).toEqual(
        [...new Set(pipelines.flatMap((pipeline) => pipeline[kind])).values()].toSorted(),
      );
    expect(config.service.extensions).toEqual(Object.keys(config.extensions));
    for (const { endpoint, headers } of Object.values(config.exporters)) {
      expect(endpoint).toBe('${env:MILLRACE_URL}');
      expect(headers).toEqual({
        authorization: 'Bearer ${env:MILLRACE_TOKEN}',
        'x-axiom-dataset': expect.stringMatching(/^(logs|traces)$/),
      });
    }
  });

  it('of Fluent Bit sends to a route that there is', () => {
    const { pipeline } = parse(textOf('fluent-bit', 'fluent-bit.yaml')) as FluentBit;
    const [output] = pipeline.outputs;
    const routes = readFileSync(join(root, 'docs/http/ingest.md'), 'utf8');
    expect(routes).toContain(`POST ${output!.uri.replace('logs', '{dataset}')}`);
    expect(output).toMatchObject({ json_date_key: '_time', header: ['Authorization Bearer ${MILLRACE_TOKEN}'] });
  });
});

interface Pipeline {
  readonly receivers: readonly string[];
  readonly processors: readonly string[];
  readonly exporters: readonly string[];
}

interface Collector {
  readonly extensions: object;
  readonly receivers: object;
  readonly processors: object;
  readonly exporters: Readonly<Record<string, { readonly endpoint: string; readonly headers: object }>>;
  readonly service: { readonly extensions: readonly string[]; readonly pipelines: Readonly<Record<string, Pipeline>> };
}

interface FluentBit {
  readonly pipeline: { readonly outputs: readonly { readonly uri: string }[] };
}
