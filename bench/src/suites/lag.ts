import { Connection } from '../connection.js';
import type { Server } from '../server.js';
import { quantile } from '../statistics.js';

const everyMilliseconds = 10;

/**
 * 99th percentile of the latency of the smallest request during some work: shows how long the
 * server's event loop is blocked.
 */
export async function lagWhile<T>(
  server: Server,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly lag: number }> {
  const connection = new Connection(server.host, server.port);
  const request = connection.prepare('GET', '/healthz');
  const waits: number[] = [];
  let working = true;
  const probing = (async () => {
    while (working) {
      const started = performance.now();
      await connection.request(request);
      waits.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, everyMilliseconds));
    }
  })();
  // If the server ends, the error of the work is the one to show.
  probing.catch(() => undefined);
  try {
    const result = await work();
    working = false;
    await probing;
    return { result, lag: quantile(waits, 0.99) };
  } finally {
    working = false;
    connection.close();
  }
}
