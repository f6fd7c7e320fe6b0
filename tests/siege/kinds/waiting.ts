import { type Attack, attacked, endless as endlessly, type Kind, mayQuery } from '../attack.js';
import { queries } from '../lines.js';

/** A billion rows from a thousand, which takes all the available time. */
const endless = `${attacked} | mv-expand k = range(1, 1000, 1) | mv-expand j = range(1, 1000, 1)`;
const slow = `${endless} | summarize sum(k * j * n) by n % 7`;

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

/** An export without rows, so that its reader is never slow. */
const exported = (clients: number): Attack => ({
  name: `exports that find nothing, from ${clients} clients`,
  rights: mayQuery,
  run: (attacker) => {
    const apl = encodeURIComponent(`${endless} | where k * j * n < 0`);
    return attacker.flood(
      clients,
      Array.from({ length: clients }, () => ({ path: `/v1/export?apl=${apl}` })),
    );
  },
});

/** Requests that long-poll for the next event. */
const tailed = (clients: number): Attack => ({
  name: `${clients} requests for what comes next`,
  rights: mayQuery,
  run: (attacker) => attacker.flood(clients, endlessly({ path: '/v1/tail', body: JSON.stringify({ apl: attacked }) })),
});

/** Queries over many fields, whose client goes while they run. */
const abandoned = (clients: number, fields: number): Attack => ({
  name: `spotlight over ${fields} fields, left after a second, from ${clients} clients`,
  rights: mayQuery,
  run: async (attacker) => {
    const listed = (text: (i: number) => string): string =>
      Array.from({ length: fields }, (_, i) => text(i)).join(', ');
    const apl = `${attacked} | mv-expand k = range(1, 100, 1) | extend ${listed((i) => `f${i} = n + ${i}`)} | summarize spotlight(n > 10, ${listed((i) => `f${i}`)})`;
    const body = JSON.stringify({ apl });
    const request = `POST /v1/datasets/_apl?format=tabular HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${attacker.token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const client = async (): Promise<void> => {
      while (!attacker.signal.aborted) {
        const socket = attacker.connect();
        socket.write(request);
        setTimeout(() => socket.destroy(), 1000);
        await new Promise((resolve) => socket.once('close', resolve));
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
  },
});

/** A hundred million groups. */
const huge = `${attacked} | mv-expand k = range(1, 1000, 1) | mv-expand j = range(1, 100, 1) | summarize count() by strcat(n, '-', k, '-', j)`;

/** Occupying scarce resources: sessions, slots, queue positions. */
export const waiting: Kind = {
  attacks: [
    pipelined(20, 20, `${attacked} | summarize count()`),
    queries(10, 'queries that take a minute', () => slow),
    pipelined(200, 50, slow),
    abandoned(3, 400),
    abandoned(3, 2000),
    exported(20),
    tailed(500),
    queries(8, 'queries that take all the memory that one may', () => huge),
    queries(8, 'queries of several statements that take a minute', () => `${endless} | where k * j * n < 0`),
  ],
  relative: (random) =>
    random.pick([
      pipelined(random.between(1, 100), random.between(1, 100), random.pick([slow, `${attacked} | take 1000`])),
      queries(random.between(1, 30), 'queries that take a minute', () => slow),
      exported(random.between(1, 50)),
      tailed(random.between(1, 2000)),
    ]),
};
