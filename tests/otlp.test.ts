import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apl } from './support/apl.ts';
import { freePort } from './support/free-port.ts';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from './support/server-process.ts';

/**
 * OpenTelemetry's own exporters against a real server, configured only by their environment
 * variables.
 */

const directory = temporaryDirectory();
let server: ServerProcess;
let grpcUrl: string;
beforeAll(async () => {
  const grpcPort = await freePort();
  grpcUrl = `http://127.0.0.1:${grpcPort}`;
  server = await startServer(directory, {
    MILLRACE_LOG_LEVEL: 'silent',
    MILLRACE_AUTO_CREATE_DATASETS: 'true',
    MILLRACE_OTLP_GRPC: String(grpcPort),
  });
});
afterAll(async () => {
  await server.stop();
  removeDirectory(directory);
});

interface SentTraces {
  /** Ids of the traces, in the order in which they were sent. */
  readonly ids: readonly string[];
  /** The error of an export, unless everything was accepted. */
  readonly refusal?: { readonly message: string; readonly code: number };
}

/** Runs `otlp-sender.mjs` as a user who follows the README would. */
async function run(format: string, dataset: string, more: Readonly<Record<string, string>> = {}): Promise<SentTraces> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, 'support', 'otlp-sender.mjs'), format],
    {
      env: {
        PATH: process.env['PATH'],
        OTEL_EXPORTER_OTLP_ENDPOINT: format === 'grpc' ? grpcUrl : server.url,
        OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${server.token},X-Axiom-Dataset=${dataset}`,
        ...more,
      },
    },
  );
  return JSON.parse(stdout) as SentTraces;
}

const range = { startTime: '2026-09-21T00:00:00Z', endTime: '2026-09-22T00:00:00Z' };

/** The rows of a query's only table. */
async function rowsOf(query: string): Promise<readonly Record<string, unknown>[]> {
  const { tables } = await apl(server, query, range);
  const { fields, columns } = tables[0]!;
  return (columns[0] ?? []).map((_, row) => Object.fromEntries(fields.map(({ name }, i) => [name, columns[i]![row]])));
}

describe.each([
  ['protobuf', 'proto', {}],
  ['protobuf, compressed', 'proto', { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' }],
  ['JSON', 'http', {}],
  ['JSON, compressed', 'http', { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' }],
  ['gRPC', 'grpc', {}],
  ['gRPC, compressed', 'grpc', { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' }],
] as const)('%s', (name, format, environment) => {
  const dataset = name.toLowerCase().replace(', ', '-');
  let sent: SentTraces;
  beforeAll(async () => {
    sent = await run(format, dataset, environment);
  });

  it('everything is taken', () => {
    expect(sent.ids).toHaveLength(100);
    expect(sent).not.toHaveProperty('refusal');
  });

  it('durations are summarized by service', async () => {
    const rows = await rowsOf(
      `['${dataset}'] | where kind == 'server'
        | summarize p95 = percentile(duration, 95), failed = countif(error), spans = count() by ['service.name']`,
    );
    expect(rows).toEqual([{ 'service.name': 'shop', p95: expect.any(Number), failed: 17, spans: 100 }]);
    // Durations are 3, 6, … 300 ms.
    expect(Math.abs((rows[0]!['p95'] as number) / 1e6 - 285)).toBeLessThan(6);
  });

  it('a trace is found by its id, with everything that was measured', async () => {
    const [parent, child, ...others] = await rowsOf(
      `['${dataset}'] | where trace_id == '${sent.ids[99]}' | sort by _time asc`,
    );
    expect(others).toEqual([]);
    expect(parent).toMatchObject({
      _time: '2026-09-21T14:13:20.000000001Z',
      trace_id: sent.ids[99],
      parent_span_id: null,
      name: 'GET /cart/:id',
      kind: 'server',
      duration: 300_000_000,
      'status.code': 'ERROR',
      'status.message': 'too slow',
      error: true,
      'service.name': 'shop',
      'resource.host.name': 'web-1',
      'scope.name': 'shop.http',
      'scope.version': '0.9',
      'attributes.http.route': '/cart/:id',
      'attributes.custom': { 'cart.items': 99, 'cart.tags': ['a', 'b'] },
      events: [{ name: 'cache miss', timestamp: '2026-09-21T14:13:20.001000001Z', attributes: { key: 'k' } }],
      links: [
        { trace_id: '5b8efff798038103d269b633813fc60c', span_id: 'eee19b7ec3c1b174', attributes: { why: 'retry' } },
      ],
    });
    expect(child).toMatchObject({ name: 'SELECT cart', parent_span_id: parent!['span_id'], kind: 'internal' });
  });

  it('logs are found by what they say', async () => {
    const rows = await rowsOf(
      `['${dataset}'] | where body startswith 'cart' | project body, ['attributes.user.id'],
        items = ['attributes.custom']['cart.items'], observed_time, severity_number, severity_text, ['service.name']`,
    );
    expect(rows).toEqual([
      {
        body: 'cart opened',
        'attributes.user.id': 'u1',
        items: 2,
        observed_time: '2026-09-21T14:13:20.001000001Z',
        severity_number: 9,
        severity_text: 'INFO',
        'service.name': 'shop',
      },
    ]);
    expect(await rowsOf(`['${dataset}'] | where ['body.user'] == 'u1' | project event_name, ['body.items']`)).toEqual([
      { event_name: 'cart.opened', 'body.items': [1, 2] },
    ]);
  });
});

it.each(['proto', 'http'])('%s: an exporter with a wrong token hears why', async (format) => {
  const { refusal } = await run(format, 'never', {
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20xaat-no,X-Axiom-Dataset=never',
  });
  expect(refusal).toMatchObject({ message: 'Forbidden', code: 403 });
});

it('grpc: an exporter with a wrong token hears why', async () => {
  const { refusal } = await run('grpc', 'never', {
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20xaat-no,X-Axiom-Dataset=never',
  });
  expect(refusal).toMatchObject({ message: expect.stringContaining('authentication failed') as unknown, code: 16 });
});
