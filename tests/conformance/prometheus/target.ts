import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A program to scrape: counters that are reset, a series that comes and goes, a histogram. */
export interface Target {
  readonly port: number;
  close(): void;
}

export async function openTarget(): Promise<Target> {
  let scrapes = 0;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4').end(exposition(scrapes++));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

/** The counters restart after this many scrapes. */
const resetAfter = 17;

function exposition(scrape: number): string {
  const age = scrape % resetAfter;
  const line = (name: string, labels: Readonly<Record<string, string>>, value: number): string =>
    `${name}{${Object.entries(labels)
      .map(([label, text]) => `${label}="${text}"`)
      .join(',')}} ${value}`;
  const methods = ['GET', 'POST'];
  // Errors are exposed in some scrapes only.
  const codes = scrape % 10 < 6 ? ['200', '404', '500'] : ['200', '404'];
  return [
    '# TYPE http_requests_total counter',
    ...methods.flatMap((method, m) =>
      codes.map((code, c) => line('http_requests_total', { method, code }, age * (7 - 2 * c) * (m + 1))),
    ),
    '# TYPE http_request_duration_seconds histogram',
    ...methods.flatMap((method, m) => [
      ...['0.1', '0.5', '1', '+Inf'].map((le, b) =>
        line('http_request_duration_seconds_bucket', { method, le }, age * (b + 1 + m)),
      ),
      line('http_request_duration_seconds_sum', { method }, age * 1.5 * (m + 1)),
      line('http_request_duration_seconds_count', { method }, age * (4 + m)),
    ]),
    '# TYPE node_cpu_seconds_total counter',
    ...['0', '1'].flatMap((cpu, n) =>
      ['idle', 'user', 'system'].map((mode, m) =>
        line('node_cpu_seconds_total', { cpu, mode }, scrape * (0.7 - 0.25 * m + 0.01 * n)),
      ),
    ),
    '# TYPE queue_length gauge',
    ...['mail', 'jobs'].map((queue, n) => line('queue_length', { queue }, ((scrape * 7 + n * 3) % 11) + 0.5)),
    '# TYPE node_memory_MemTotal_bytes gauge',
    'node_memory_MemTotal_bytes 8e9',
    '# TYPE node_memory_MemAvailable_bytes gauge',
    `node_memory_MemAvailable_bytes ${4e9 + 1e7 * (scrape % 13)}`,
    '# TYPE process_start_time_seconds gauge',
    'process_start_time_seconds 1.79e9',
    '',
  ].join('\n');
}
