import type { Snippet } from '../ingest-snippets.js';

/** Snippets that send metrics, with address, dataset and token filled in. */

const lines = (...texts: readonly string[]): string => texts.join('\n');

export const metricsSnippets: readonly Snippet[] = [
  {
    id: 'otel',
    title: 'OpenTelemetry SDK',
    text: ({ url, dataset, token }) =>
      lines(
        `export OTEL_EXPORTER_OTLP_ENDPOINT=${url}`,
        'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
        'export OTEL_METRICS_EXPORTER=otlp',
        `export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20${token},X-Axiom-Metrics-Dataset=${dataset}"`,
      ),
  },
  {
    id: 'collector',
    title: 'OpenTelemetry Collector',
    text: ({ url, dataset, token }) =>
      lines(
        'receivers:',
        '  hostmetrics:',
        '    scrapers: { cpu: {}, memory: {}, disk: {}, network: {} }',
        'exporters:',
        '  otlp_http:',
        `    endpoint: ${url}`,
        '    headers:',
        `      Authorization: Bearer ${token}`,
        `      X-Axiom-Metrics-Dataset: ${dataset}`,
        'service:',
        '  pipelines:',
        '    metrics: { receivers: [hostmetrics], exporters: [otlp_http] }',
      ),
  },
  {
    id: 'prometheus',
    title: 'Prometheus remote write',
    text: ({ url, dataset, token }) =>
      lines(
        'remote_write:',
        `  - url: ${url}/v1/ingest/${dataset}/prometheus/api/v1/write`,
        '    authorization:',
        `      credentials: ${token}`,
      ),
  },
  {
    id: 'curl',
    title: 'curl',
    text: ({ url, dataset, token }) =>
      lines(
        `curl ${url}/v1/metrics \\`,
        `  -H 'Authorization: Bearer ${token}' \\`,
        `  -H 'X-Axiom-Metrics-Dataset: ${dataset}' \\`,
        "  -H 'Content-Type: application/json' \\",
        '  -d "{\\"resourceMetrics\\":[{\\"scopeMetrics\\":[{\\"metrics\\":[{\\"name\\":\\"hello\\",',
        '       \\"gauge\\":{\\"dataPoints\\":[{\\"asDouble\\":1,\\"timeUnixNano\\":\\"$(date +%s)000000000\\"}]}}]}]}]}"',
      ),
  },
];
