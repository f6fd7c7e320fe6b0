import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { addressesOf } from '@millrace/http/settings/clickhouse-settings';
import { readSettings } from '@millrace/http/settings/settings';
import { root } from './support/root.ts';

/**
 * The manifests of several nodes. Their schemas are not here: Kubernetes' own, and those of the two
 * operators, accepted them when they were written (deploy/README.md).
 */

const directory = join(root, 'deploy/kubernetes-nodes');
const textOf = (name: string): string => readFileSync(join(directory, name), 'utf8');

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}
interface Deployment {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } };
    readonly selector: { readonly matchLabels: object };
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly [
          {
            readonly env: readonly Variable[];
            readonly readinessProbe: { readonly httpGet: { readonly path: string } };
            readonly livenessProbe: object;
          },
        ];
      };
    };
  };
}

const { metadata, spec } = parse(textOf('deployment.yaml')) as Deployment;
const pod = spec.template.spec;
const [container] = pod.containers;
const plain = Object.fromEntries(container.env.map(({ name, value = '' }) => [name, value]));

it('all files are listed', () => {
  const { resources } = parse(textOf('kustomization.yaml')) as { readonly resources: readonly string[] };
  expect(resources.toSorted()).toEqual(readdirSync(directory).filter((name) => name !== 'kustomization.yaml'));
});

it('the settings are those of a node, with a token that must be replaced', () => {
  const { stringData } = parse(textOf('secret.yaml')) as { readonly stringData: Readonly<Record<string, string>> };
  const environment = {
    ...plain,
    ...stringData,
    MILLRACE_DATABASE_URL: 'postgresql://millrace:x@postgres-rw:5432/millrace',
  };
  expect(readSettings(environment, [])).toMatchObject({
    ok: false,
    errors: [expect.stringContaining('MILLRACE_ADMIN_TOKEN')],
  });
  const MILLRACE_ADMIN_TOKEN = 'xapt-00000000-0000-4000-8000-000000000000';
  const read = readSettings({ ...environment, MILLRACE_ADMIN_TOKEN }, []);
  if (!read.ok) throw new Error(read.errors.join('\n'));
  expect(read.settings.nodes).toBe('shared');
  expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(read.settings.shutdownTimeout);
});

it('the addresses equal the names that the operators create', () => {
  const [keeper, clickhouse] = parseAllDocuments(textOf('clickhouse.yaml')).map(
    (each) =>
      each.toJS() as {
        readonly metadata: { readonly name: string };
        readonly spec: {
          readonly configuration: {
            readonly clusters: readonly [
              { readonly name: string; readonly layout: { readonly replicasCount: number } },
            ];
            readonly zookeeper?: { readonly nodes: readonly [{ readonly host: string }] };
          };
        };
      },
  );
  const { clusters, zookeeper } = clickhouse!.spec.configuration;
  const [{ name, layout }] = clusters;
  expect(addressesOf(plain['MILLRACE_CLICKHOUSE_URL']!)).toEqual(
    Array.from(
      { length: layout.replicasCount },
      (_, i) => `http://chi-${clickhouse!.metadata.name}-${name}-0-${i}:8123`,
    ),
  );
  expect(zookeeper!.nodes[0].host).toBe(`keeper-${keeper!.metadata.name}`);
  const postgres = parse(textOf('postgres.yaml')) as { readonly metadata: { readonly name: string } };
  const url = container.env.find((each) => each.name === 'MILLRACE_DATABASE_URL')!;
  expect(url.valueFrom!.secretKeyRef).toEqual({ name: `${postgres.metadata.name}-app`, key: 'uri' });
});

it('readiness checks whether a node can acknowledge; an unavailable database never restarts it', () => {
  expect(container.readinessProbe.httpGet.path).toBe('/healthz');
  expect(JSON.stringify(container.livenessProbe)).not.toContain('/healthz');
  expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
  // The autoscaler would be overruled at each apply.
  expect(spec.replicas).toBeUndefined();
});

it('service, autoscaler and disruption budget are those of the deployment', () => {
  const specOf = (name: string) =>
    (
      parse(textOf(name)) as {
        readonly spec: Readonly<Record<string, { readonly matchLabels?: object; readonly name?: string }>>;
      }
    ).spec;
  const labels = spec.template.metadata.labels;
  expect(specOf('service.yaml')['selector']).toEqual(labels);
  expect(specOf('disruption-budget.yaml')['selector']!.matchLabels).toEqual(labels);
  expect(spec.selector.matchLabels).toEqual(labels);
  expect(specOf('autoscaler.yaml')['scaleTargetRef']!.name).toBe(metadata.name);
});
