import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from './random.js';

/** The compared part of a notification. */
interface DeliveredNotification {
  readonly key: string;
  readonly action: string;
  readonly monitorId: string;
  /** The number of the event that matched. */
  readonly n: number | undefined;
}

export interface Receiver {
  readonly url: string;
  readonly delivered: readonly DeliveredNotification[];
  /** Accepts all requests from now on. */
  calmDown(): void;
  close(): Promise<void>;
}

/**
 * A webhook receiver that outlives the servers: it rejects some requests, closes connections before
 * or after reading, and counts what it has read.
 */
export async function openReceiver(random: Random): Promise<Receiver> {
  const delivered: DeliveredNotification[] = [];
  let calm = false;
  const server = createServer((request, response) => {
    const mood = calm ? 9 : random.between(0, 9);
    if (mood === 0) return void request.socket.destroy();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { action, event } = JSON.parse(Buffer.concat(chunks).toString()) as {
        readonly action: string;
        readonly event: { readonly monitorID: string; readonly matchedEvent: { readonly n?: number } | null };
      };
      const key = String(request.headers['idempotency-key']);
      delivered.push({ key, action, monitorId: event.monitorID, n: event.matchedEvent?.n });
      if (mood === 1) return void request.socket.destroy();
      response.statusCode = mood === 2 ? 503 : 200;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delivered,
    calmDown: () => void (calm = true),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
