import { Connection } from '../connection.js';
import type { Server } from '../server.js';
import { quantile } from '../statistics.js';

const everyMilliseconds = 10;

/**
 * The 99th percentile of how long the smallest request waits during some work: it shows how long
 * the server's event loop is held in one piece.
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
