/** Code snippets that send events, with address, dataset and token filled in. */

interface Target {
  readonly url: string;
  readonly dataset: string;
  readonly token: string;
}

export interface Snippet {
  readonly id: string;
  readonly title: string;
  readonly text: (target: Target) => string;
}

const lines = (...texts: readonly string[]): string => texts.join('\n');

export const snippets: readonly Snippet[] = [
  {
    id: 'curl',
    title: 'curl',
    text: ({ url, dataset, token }) =>
      lines(
        `curl ${url}/v1/datasets/${dataset}/ingest \\`,
        `  -H 'Authorization: Bearer ${token}' \\`,
        `  -d '[{"level":"info","msg":"hello","status":200}]'`,
      ),
  },
  {
    id: 'cli',
    title: 'millrace',
    text: ({ url, dataset, token }) =>
      lines(`export MILLRACE_URL=${url} MILLRACE_TOKEN=${token}`, `cat events.ndjson | npx millrace ingest ${dataset}`),
  },
  {
    id: 'js',
    title: 'JavaScript',
    text: ({ url, dataset, token }) =>
      lines(
        '// npm install @axiomhq/js',
        "import { Axiom } from '@axiomhq/js';",
        '',
        `const axiom = new Axiom({ url: '${url}', token: '${token}' });`,
        `axiom.ingest('${dataset}', [{ level: 'info', msg: 'hello', status: 200 }]);`,
        'await axiom.flush();',
      ),
  },
  {
    id: 'pino',
    title: 'pino',
    text: ({ url, dataset, token }) =>
      lines(
        '// npm install pino @axiomhq/pino',
        "import pino from 'pino';",
        '',
        'const logger = pino(',
        "  { level: 'info' },",
        '  pino.transport({',
        "    target: '@axiomhq/pino',",
        `    options: { url: '${url}', dataset: '${dataset}', token: '${token}' },`,
        '  }),',
        ');',
        "logger.info({ status: 200 }, 'hello');",
      ),
  },
  {
    id: 'winston',
    title: 'winston',
    text: ({ url, dataset, token }) =>
      lines(
        '// npm install winston @axiomhq/winston',
        "import { WinstonTransport } from '@axiomhq/winston';",
        "import winston from 'winston';",
        '',
        'const logger = winston.createLogger({',
        '  transports: [',
        `    new WinstonTransport({ url: '${url}', dataset: '${dataset}', token: '${token}' }),`,
        '  ],',
        '});',
        "logger.info('hello', { status: 200 });",
      ),
  },
  {
    id: 'go',
    title: 'Go',
    text: ({ url, dataset, token }) =>
      lines(
        '// go get github.com/axiomhq/axiom-go',
        'client, err := axiom.NewClient(',
        `\taxiom.SetURL("${url}"),`,
        `\taxiom.SetToken("${token}"),`,
        ')',
        'if err != nil {',
        '\tlog.Fatal(err)',
        '}',
        `_, err = client.IngestEvents(ctx, "${dataset}", []axiom.Event{`,
        '\t{"level": "info", "msg": "hello", "status": 200},',
        '})',
      ),
  },
  {
    id: 'python',
    title: 'Python',
    text: ({ url, dataset, token }) =>
      lines(
        '# pip install axiom-py',
        'import axiom_py',
        '',
        `client = axiom_py.Client(token="${token}", url="${url}")`,
        `client.ingest_events("${dataset}", [{"level": "info", "msg": "hello", "status": 200}])`,
      ),
  },
  {
    id: 'rust',
    title: 'Rust',
    text: ({ url, dataset, token }) =>
      lines(
        '// cargo add axiom-rs serde_json',
        'let client = axiom_rs::Client::builder()',
        `    .with_url("${url}")`,
        `    .with_token("${token}")`,
        '    .build()?;',
        'client',
        `    .ingest("${dataset}", [serde_json::json!({"level": "info", "msg": "hello", "status": 200})])`,
        '    .await?;',
      ),
  },
  {
    id: 'otel',
    title: 'OpenTelemetry SDK',
    text: ({ url, dataset, token }) =>
      lines(
        `export OTEL_EXPORTER_OTLP_ENDPOINT=${url}`,
        'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
        'export OTEL_METRICS_EXPORTER=none',
        `export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20${token},X-Axiom-Dataset=${dataset}"`,
      ),
  },
  {
    id: 'collector',
    title: 'OpenTelemetry Collector',
    text: ({ url, dataset, token }) =>
      lines(
        'exporters:',
        '  otlp_http:',
        `    endpoint: ${url}`,
        '    compression: zstd',
        '    headers:',
        `      authorization: Bearer ${token}`,
        `      x-axiom-dataset: ${dataset}`,
      ),
  },
  {
    id: 'vector',
    title: 'Vector',
    text: ({ url, dataset, token }) =>
      lines(
        'sinks:',
        '  millrace:',
        '    type: http',
        '    inputs: [my_source]',
        `    uri: ${url}/v1/datasets/${dataset}/ingest?timestamp-field=timestamp`,
        '    compression: gzip',
        '    encoding: { codec: json }',
        `    auth: { strategy: bearer, token: ${token} }`,
      ),
  },
  {
    id: 'fluent-bit',
    title: 'Fluent Bit',
    text: ({ url, dataset, token }) => {
      const { hostname, port, protocol } = new URL(url);
      const isTls = protocol === 'https:';
      return lines(
        '[OUTPUT]',
        '    name             http',
        '    match            *',
        `    host             ${hostname}`,
        `    port             ${port === '' ? (isTls ? 443 : 80) : port}`,
        `    uri              /v1/datasets/${dataset}/ingest`,
        '    format           json',
        '    json_date_key    _time',
        '    json_date_format iso8601',
        `    header           Authorization Bearer ${token}`,
        ...(isTls ? ['    tls              on'] : []),
      );
    },
  },
];
