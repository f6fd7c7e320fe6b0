import { signals } from '../signal.js';

/** gRPC methods and what serves them. */

type Target = { readonly kind: 'route'; readonly path: string } | { readonly kind: 'health' };

const collector = (signal: string, service: string): string =>
  `opentelemetry.proto.collector.${signal}.v1.${service}Service`;

/** Service → HTTP path of its method `Export`. */
const exportServices: Readonly<Record<string, string>> = {
  [collector('logs', 'Logs')]: signals.logs.path,
  [collector('trace', 'Trace')]: signals.traces.path,
  [collector('metrics', 'Metrics')]: signals.metrics.path,
};

const healthService = 'grpc.health.v1.Health';

const targets: ReadonlyMap<string, Target> = new Map<string, Target>([
  ...Object.entries(exportServices).map(([service, path]): [string, Target] => [
    `/${service}/Export`,
    { kind: 'route', path },
  ]),
  [`/${healthService}/Check`, { kind: 'health' }],
]);

/** @param path of the request: `/package.Service/Method` */
export const methodAt = (path: string): Target | undefined => targets.get(path);

/** Whether the server has a service; the empty name means the server. */
export const hasService = (name: string): boolean => name === '' || name === healthService || name in exportServices;
