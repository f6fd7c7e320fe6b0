import type { FastifyInstance } from 'fastify';
import type { SilentConnections } from '../http/connections/silent-connections.js';

/** How a server stops. */

/** How often connections without a request are closed during a stop. */
const idleMilliseconds = 250;
/**
 * How long the first request of a connection may still take to arrive; it is told that the server
 * stops.
 */
const silentMilliseconds = 1000;

/** What has to end before a stop goes on. */
interface Serving {
  readonly app: FastifyInstance;
  readonly silent: SilentConnections;
  readonly upkeep: readonly (() => Promise<void>)[];
}

/**
 * Takes no more requests, and waits for those that run and for upkeep, such as the deletion of old
 * events. Requests that take too long are cut off; upkeep that does ends with the engine, and goes
 * on after the next start.
 */
export async function closeWithin(milliseconds: number, { app, silent, upkeep }: Serving): Promise<void> {
  const upkeepOver = Promise.all(upkeep.map((stop) => stop()));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  void late.then(() => app.server.closeAllConnections());
  // Those that are idle at the beginning, or whose answer begins later, are closed by themselves.
  // The others would be waited for until their clients close them.
  const idle = setInterval(() => app.server.closeIdleConnections(), idleMilliseconds);
  const unused = setTimeout(() => silent.close(), silentMilliseconds);
  await app.close();
  clearInterval(idle);
  clearTimeout(unused);
  await Promise.race([upkeepOver, late]);
  clearTimeout(timer);
}
