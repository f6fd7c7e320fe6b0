import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPresent, run, createScratchDirectory } from '../libraries.ts';
import type { Agent, Place } from './agent.ts';

/**
 * The OpenTelemetry Collector with its exporters for other products, compiled from its modules
 * (`../collector`); COLLECTOR names a program that has them.
 */

/** Everything is compiled from source. */
const compileMilliseconds = 900_000;

let buildPromise: Promise<string> | undefined;

async function build(): Promise<string> {
  const given = process.env['COLLECTOR'];
  if (given !== undefined) return given;
  const program = join(createScratchDirectory(), 'collector');
  const source = join(import.meta.dirname, '..', 'collector');
  await run('go', ['build', '-o', program, '.'], { cwd: source, timeout: compileMilliseconds });
  return program;
}

let program = '';

interface Exporter {
  readonly name: string;
  /** Its settings, without the address and the retry settings, which are the same for all. */
  settings(place: Place): Readonly<Record<string, unknown>>;
  /** Processing of a line before it is sent. */
  readonly operators?: readonly Readonly<Record<string, string>>[];
  readonly resource?: Readonly<Record<string, string>>;
  readonly field?: string;
}

/** Tries again for as long as it takes. */
const retrySettings = {
  retry_on_failure: { enabled: true, initial_interval: '500ms', max_interval: '2s', max_elapsed_time: '0s' },
  sending_queue: { queue_size: 100_000 },
};

const collectorAgent = ({ name, settings, operators = [], resource = {}, field = 'message' }: Exporter): Agent => ({
  async isHere() {
    if (!(await isPresent('go', 'version'))) return false;
    program = await (buildPromise ??= build());
    return true;
  },
  isAnswered: true,
  field,
  command(place) {
    const file = join(place.directory, 'collector.yml');
    const configuration = {
      receivers: {
        filelog: { include: [place.input], start_at: 'beginning', poll_interval: '100ms', operators, resource },
      },
      exporters: { [name]: settings(place) },
      service: {
        pipelines: { logs: { receivers: ['filelog'], exporters: [name] } },
        telemetry: { metrics: { level: 'none' } },
      },
    };
    // JSON is YAML, too.
    writeFileSync(file, JSON.stringify(configuration));
    return { program, args: ['--config', `file:${file}`] };
  },
});

const server = ({ host, ports }: Place): string => `http://${host}:${ports.http}`;

export const collectorSplunk = collectorAgent({
  name: 'splunk_hec',
  settings: (place) => ({
    endpoint: `${server(place)}/services/collector`,
    token: place.token,
    index: place.dataset,
    ...retrySettings,
  }),
  operators: [{ type: 'move', from: 'body', to: 'body.message' }],
});

export const collectorLoki = collectorAgent({
  name: 'loki',
  settings: (place) => ({
    endpoint: `${server(place)}/v1/ingest/${place.dataset}/loki/api/v1/push`,
    headers: { Authorization: `Basic ${Buffer.from(`axiom:${place.token}`).toString('base64')}` },
    ...retrySettings,
  }),
  resource: { 'loki.format': 'raw' },
});

export const collectorElasticsearch = collectorAgent({
  name: 'elasticsearch',
  settings: (place) => ({
    endpoints: [`${server(place)}/v1/ingest/${place.dataset}/elastic`],
    user: 'axiom',
    password: place.token,
    logs_index: place.dataset,
    flush: { interval: '500ms' },
    retry: { enabled: true, max_requests: 1000, initial_interval: '500ms', max_interval: '2s' },
    sending_queue: { enabled: true, queue_size: 100_000 },
  }),
  field: 'Body',
});
