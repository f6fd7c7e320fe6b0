import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the webhook receiver got. */
interface ReceivedRequest {
  readonly path: string;
  readonly key: string;
  readonly body: {
    readonly action: string;
    readonly event: {
      readonly title: string;
      readonly body: string;
      readonly value: number;
      readonly matchedEvent: unknown;
    };
  };
}

export interface Receiver {
  readonly received: readonly ReceivedRequest[];
  urlOf(path: string): string;
  /** Resolves with the requests of a path once there are at least `count`. */
  arrivedAt(path: string, count: number): Promise<readonly ReceivedRequest[]>;
  close(): Promise<void>;
}

/** A real receiver of webhooks, which takes everything. */
export async function openReceiver(): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const watching = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        key: String(request.headers['idempotency-key']),
        body: JSON.parse(Buffer.concat(chunks).toString()) as ReceivedRequest['body'],
      });
      response.end();
      for (const look of watching) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    urlOf: (path) => `http://127.0.0.1:${port}${path}`,
    arrivedAt: (path, count) =>
      new Promise((resolve) => {
        const look = (): void => {
          const there = received.filter((each) => each.path === path);
          if (there.length < count) return;
          watching.delete(look);
          resolve(there);
        };
        watching.add(look);
        look();
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
