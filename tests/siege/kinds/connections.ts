import { type Attack, type Kind, mayQuery } from '../attack.js';

/** Connections that send nothing, or a prefix. */
const openConnections = (count: number, text: string): Attack => ({
  name: `${count} connections with ${text.length} bytes each`,
  rights: mayQuery,
  run: async (attacker) => {
    for (let left = count; left > 0 && !attacker.signal.aborted; left--) {
      const socket = attacker.connect();
      await new Promise<void>((resolve) => {
        socket.once('connect', () => socket.write(text === '' ? '' : text, () => resolve()));
        socket.once('close', () => resolve());
      });
    }
    await attacker.wait();
  },
});

/** Connections; a process can have as many as it has file descriptors. */
export const connections: Kind = {
  attacks: [
    openConnections(200, 'GET /healthz HTTP/1.1\r\n'),
    openConnections(20_000, ''),
    openConnections(5000, 'POST /v1/datasets/attacked/ingest HTTP/1.1\r\n'),
  ],
};
