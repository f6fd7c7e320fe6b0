import { fieldText } from '../../../data/apl-text.js';
import type { BoardDocument } from '../document/document.js';

/**
 * Dashboard templates for datasets with matching fields. Each is a document next to this file and
 * an entry here.
 */
interface ReadyBoard {
  readonly title: string;
  readonly about: string;
  readonly load: () => Promise<BoardDocument>;
}

interface Ready extends ReadyBoard {
  /**
   * Placeholder names such as `{{status}}`, and candidate fields, best first. All placeholders must
   * match.
   */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Fields of datasets that it does not suit, even if the others match. */
  readonly unless?: readonly string[];
}

const loadDocument = (module: { readonly default: unknown }): BoardDocument => module.default as BoardDocument;

export const readyTable: readonly Ready[] = [
  {
    title: 'OpenTelemetry traces',
    about: 'Requests, errors and durations of services and their operations.',
    fields: {
      service: ['service.name'],
      span: ['span_id'],
      name: ['name'],
      kind: ['kind'],
      duration: ['duration'],
      error: ['error'],
    },
    load: () => import('./opentelemetry-traces.json').then(loadDocument),
  },
  {
    title: 'HTTP access logs',
    about: 'Requests by status and path, and what fails.',
    fields: {
      status: [
        'status',
        'status_code',
        'http.status_code',
        'http.response.status_code',
        'attributes.http.response.status_code',
        'attributes.http.status_code',
        'response.status',
        'response_code',
        'request.statusCode',
        'proxy.statusCode',
        'statusCode',
        'EdgeResponseStatus',
        'DownstreamStatus',
        'code',
      ],
      path: [
        'path',
        'route',
        'uri',
        'request_uri',
        'request.uri',
        'request.path',
        'http.route',
        'http.target',
        'url.path',
        'attributes.url.path',
        'attributes.http.route',
        'attributes.http.target',
        'proxy.path',
        'url.original',
        'ClientRequestPath',
        'ClientRequestURI',
        'RequestPath',
        'url',
        'request',
      ],
      method: [
        'method',
        'request_method',
        'http.method',
        'http.request.method',
        'attributes.http.request.method',
        'attributes.http.method',
        'request.method',
        'proxy.method',
        'ClientRequestMethod',
        'RequestMethod',
        'verb',
        // Part of the request line, too.
        'request',
      ],
    },
    // HTTP spans have their own template.
    unless: ['parent_span_id'],
    load: () => import('./http-access-logs.json').then(loadDocument),
  },
  {
    title: 'Kubernetes logs',
    about: 'Lines by namespace and pod, and where errors come from.',
    fields: {
      namespace: [
        'kubernetes.namespace_name',
        'resource.k8s.namespace.name',
        'k8s.namespace.name',
        'kubernetes.pod_namespace',
        'kubernetes.namespace',
        'namespace',
      ],
      pod: ['kubernetes.pod_name', 'resource.k8s.pod.name', 'k8s.pod.name', 'kubernetes.pod.name', 'pod'],
      message: ['log', 'message', 'body', 'msg'],
    },
    unless: ['parent_span_id'],
    load: () => import('./kubernetes-logs.json').then(loadDocument),
  },
];

/** Template for datasets with metrics of Millrace, which have the metric. */
export const serverBoard: ReadyBoard & { readonly metric: string } = {
  title: 'Millrace server',
  about: 'Requests, queries, durations, memory and disk.',
  metric: 'millrace_http_requests_total',
  load: () => import('./millrace-server.json').then(loadDocument),
};

/** Fields of a dataset by placeholder; undefined if one is missing. */
export function fitFields(
  { fields, unless = [] }: Pick<Ready, 'fields' | 'unless'>,
  known: ReadonlySet<string>,
): Readonly<Record<string, string>> | undefined {
  if (unless.some((each) => known.has(each))) return undefined;
  const found: Record<string, string> = {};
  for (const [name, candidates] of Object.entries(fields)) {
    const field = candidates.find((each) => known.has(each));
    if (field === undefined) return undefined;
    found[name] = fieldText(field);
  }
  return found;
}

/** Fills in the placeholders of a document. */
export const filledIn = (document: unknown, values: Readonly<Record<string, string>>): string =>
  JSON.stringify(document).replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => {
    const value = values[name];
    // Within a JSON string.
    return value === undefined ? all : JSON.stringify(value).slice(1, -1);
  });
