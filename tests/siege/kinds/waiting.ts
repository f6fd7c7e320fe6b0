import { type Attack, attackedDataset, endless as endlessly, type Kind, mayQuery } from '../attack.js';
import { queries } from '../lines.js';

/** A billion rows from a thousand, which takes all the available time. */
const endless = `${attackedDataset} | mv-expand k = range(1, 1000, 1) | mv-expand j = range(1, 1000, 1)`;
const slow = `${endless} | summarize sum(k * j * n) by n % 7`;

/** Writes requests one after the other on each connection without reading, and closes it. */
const pipelineRequests = (connections: number, requests: number, apl: string): Attack => ({
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
const emptyExports = (clients: number): Attack => ({
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
const tailRequests = (clients: number): Attack => ({
  name: `${clients} requests for what comes next`,
  rights: mayQuery,
  run: (attacker) =>
    attacker.flood(clients, endlessly({ path: '/v1/tail', body: JSON.stringify({ apl: attackedDataset }) })),
});

/** Queries over many fields, whose client goes while they run. */
const abandonQueries = (clients: number, fields: number): Attack => ({
  name: `spotlight over ${fields} fields, left after a second, from ${clients} clients`,
  rights: mayQuery,
  run: async (attacker) => {
    const joinList = (text: (i: number) => string): string =>
      Array.from({ length: fields }, (_, i) => text(i)).join(', ');
    const apl = `${attackedDataset} | mv-expand k = range(1, 100, 1) | extend ${joinList((i) => `f${i} = n + ${i}`)} | summarize spotlight(n > 10, ${joinList((i) => `f${i}`)})`;
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
const huge = `${attackedDataset} | mv-expand k = range(1, 1000, 1) | mv-expand j = range(1, 100, 1) | summarize count() by strcat(n, '-', k, '-', j)`;

/** Occupying scarce resources: sessions, slots, queue positions. */
export const waiting: Kind = {
  attacks: [
    pipelineRequests(20, 20, `${attackedDataset} | summarize count()`),
    queries(10, 'queries that take a minute', () => slow),
    pipelineRequests(200, 50, slow),
    abandonQueries(3, 400),
    abandonQueries(3, 2000),
    emptyExports(20),
    tailRequests(500),
    queries(8, 'queries that take all the memory that one may', () => huge),
    queries(8, 'queries of several statements that take a minute', () => `${endless} | where k * j * n < 0`),
  ],
  relative: (random) =>
    random.pick([
      pipelineRequests(
        random.between(1, 100),
        random.between(1, 100),
        random.pick([slow, `${attackedDataset} | take 1000`]),
      ),
      queries(random.between(1, 30), 'queries that take a minute', () => slow),
      emptyExports(random.between(1, 50)),
      tailRequests(random.between(1, 2000)),
    ]),
};
