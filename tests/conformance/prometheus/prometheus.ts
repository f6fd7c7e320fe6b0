import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';

/** A Prometheus server that scrapes a target and writes to datasets of metrics. */
export interface Prometheus {
  readonly url: string;
  stop(): Promise<void>;
}

interface RemoteWrite {
  readonly url: string;
  readonly token: string;
  readonly message: 'prometheus.WriteRequest' | 'io.prometheus.write.v2.Request';
}

/** @param program the command of Prometheus */
export async function startPrometheus(
  program: string,
  directory: string,
  target: number,
  writes: readonly RemoteWrite[],
): Promise<Prometheus> {
  const port = await freePort();
  const file = join(directory, 'prometheus.yml');
  const configuration = {
    global: { scrape_interval: '1s', scrape_timeout: '1s' },
    scrape_configs: [{ job_name: 'shop', static_configs: [{ targets: [`127.0.0.1:${target}`] }] }],
    remote_write: writes.map(({ url, token, message }) => ({
      url,
      authorization: { credentials: token },
      protobuf_message: message,
      queue_config: { batch_send_deadline: '500ms', min_backoff: '30ms', max_backoff: '500ms' },
    })),
  };
  // JSON is YAML, too.
  writeFileSync(file, JSON.stringify(configuration));
  const child = spawn(
    program,
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
