import { type Attack, attacked, type Kind, mayQuery } from '../attack.js';
import { queries } from '../lines.js';

const slow = `range x from 1 to 100000000000 step 1 | summarize count() by x % 7`;

/** Writes requests one after the other on each connection without reading, and closes it. */
const pipelined = (connections: number, requests: number, apl: string): Attack => ({
  name: `${connections} connections with ${requests} requests each, closed at once`,
  rights: mayQuery,
  run: async (attacker) => {
    const body = JSON.stringify({ apl });
    const request = `POST /v1/datasets/_apl?format=tabular HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${attacker.token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    for (let left = connections; left > 0 && !attacker.signal.aborted; left--) {
      const socket = attacker.connect();
      await new Promise<void>((resolve) => {
        socket.once('close', () => resolve());
        socket.write(request.repeat(requests), () => setTimeout(() => socket.destroy(), 50));
      });
    }
  },
});

/** An export that finds nothing, so that its reader is never slow. */
const exported = (clients: number): Attack => ({
  name: `exports that find nothing, from ${clients} clients`,
  rights: mayQuery,
  run: (attacker) => {
    const apl = encodeURIComponent(
      `${attacked} | join (range x from 1 to 100000000000 step 1) on $left.n == $right.x | where x < 0`,
    );
    return attacker.flood(
      clients,
      Array.from({ length: clients }, () => ({ path: `/v1/export?apl=${apl}` })),
    );
  },
});

/** Holding what there are few of: sessions, places, turns. */
export const waiting: Kind = {
  attacks: [
    pipelined(20, 20, `${attacked} | summarize count()`),
    queries(10, 'queries that take a minute', () => slow),
    pipelined(200, 50, slow),
    exported(20),
  ],
};
