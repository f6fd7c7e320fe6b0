/** How to send the first event, with everything filled in. */

interface Target {
  readonly url: string;
  readonly dataset: string;
  readonly token: string;
}

interface Snippet {
  readonly id: string;
  readonly title: string;
  readonly text: (target: Target) => string;
}

export const snippets: readonly Snippet[] = [
  {
    id: 'curl',
    title: 'curl',
    text: ({ url, dataset, token }) =>
      [
        `curl ${url}/v1/datasets/${dataset}/ingest \\`,
        `  -H 'Authorization: Bearer ${token}' \\`,
        `  -d '[{"level":"info","msg":"hello","status":200}]'`,
      ].join('\n'),
  },
  {
    id: 'otel',
    title: 'OpenTelemetry',
    text: ({ url, dataset, token }) =>
      [
        `export OTEL_EXPORTER_OTLP_ENDPOINT=${url}`,
        'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
        'export OTEL_METRICS_EXPORTER=none',
        `export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20${token},X-Axiom-Dataset=${dataset}"`,
      ].join('\n'),
  },
  {
    id: 'js',
    title: 'JavaScript',
    text: ({ url, dataset, token }) =>
      [
        '// npm install @axiomhq/js',
        "import { Axiom } from '@axiomhq/js';",
        '',
        `const axiom = new Axiom({ url: '${url}', token: '${token}' });`,
        `axiom.ingest('${dataset}', [{ level: 'info', msg: 'hello', status: 200 }]);`,
        'await axiom.flush();',
      ].join('\n'),
  },
];
