import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tie } from '../../cluster/tied-sockets.ts';

/** A proxy to a server that can be cut: its users cannot reach the server, while others can. */
export interface Relay {
  readonly url: string;
  /** Ends all connections; until it is mended, new ones end at once. */
  cut(): void;
  mend(): void;
  /** Closes all connections; new ones are accepted. */
  break(): void;
  end(): Promise<void>;
}

export async function openRelay(port: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((from) => {
    if (isCut) return void from.destroy();
    const to = connect(port, '127.0.0.1');
    tie(from, to, sockets);
    from.pipe(to);
    to.pipe(from);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true;
      breakAll();
    },
    mend: () => void (isCut = false),
    break: breakAll,
    end: async () => {
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    },
  };
}
