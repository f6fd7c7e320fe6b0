import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tie } from './tied-sockets.js';

/** The way from replicas to their Keeper. It knows when an insert is about to be written down. */
export interface KeeperRelay {
  readonly port: number;
  /**
   * Blocks the next insert permanently: its replica has the rows, and Keeper never hears of them.
   * Resolves when that has happened, or after a timeout if there was no insert.
   */
  holdNextInsert(milliseconds: number): Promise<void>;
  end(): Promise<void>;
}

/** The number of a request that changes several nodes of Keeper together. */
const multi = 14;

/** Whether a request registers a part on a replica, whose number was allocated just before. */
const isInsert = (request: Buffer): boolean =>
  request.readInt32BE(4) === multi && request.includes('/parts/') && request.includes('/block_numbers/');

export async function openKeeperRelay(keeperPort: number): Promise<KeeperRelay> {
  let hold: (() => void) | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((replica) => {
    const keeper = connect(keeperPort, '127.0.0.1');
    tie(replica, keeper, sockets);
    keeper.pipe(replica);
    let rest: Buffer = Buffer.alloc(0);
    let isDelaying = false;
    replica.on('data', (data: Buffer) => {
      if (isDelaying) return;
      rest = rest.length === 0 ? data : Buffer.concat([rest, data]);
      // Each request starts with its length.
      while (rest.length >= 12 && rest.length >= 4 + rest.readInt32BE(0)) {
        const length = 4 + rest.readInt32BE(0);
        if (hold !== undefined && isInsert(rest.subarray(4, length))) {
          isDelaying = true;
          hold();
          return;
        }
        keeper.write(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    holdNextInsert: (milliseconds) =>
      new Promise((resolve) => {
        const late = setTimeout(() => hold?.(), milliseconds);
        hold = () => {
          hold = undefined;
          clearTimeout(late);
          resolve();
        };
      }),
    end: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
