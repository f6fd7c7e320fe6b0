import type { FastifyInstance } from 'fastify';
import type { SilentConnections } from '@millrace/http/connections/idle-connections';

/** How a server stops. */

/** Interval at which connections without a request are closed during shutdown. */
const idleMilliseconds = 250;
/**
 * How long the first request of a connection may still take to arrive; it is rejected because the
 * server is shutting down.
 */
const silentMilliseconds = 1000;

/** Resources to close before shutdown continues. */
interface ServerResources {
  readonly app: FastifyInstance;
  readonly silent: SilentConnections;
  readonly upkeep: readonly (() => Promise<void>)[];
}

/**
 * Accepts no more requests, and waits for running ones and for maintenance, such as the deletion of
 * old events. Requests that take too long are aborted; maintenance that does ends with the engine
 * and continues after the next start.
 */
export async function closeWithin(milliseconds: number, { app, silent, upkeep }: ServerResources): Promise<void> {
  const upkeepOver = Promise.all(upkeep.map((stop) => stop()));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  void late.then(() => app.server.closeAllConnections());
  // `app.close()` closes connections that are idle now or that get a response later. Without these
  // timers, it would wait for clients to close the others.
  const idle = setInterval(() => app.server.closeIdleConnections(), idleMilliseconds);
  const unused = setTimeout(() => silent.close(), silentMilliseconds);
  await app.close();
  clearInterval(idle);
  clearTimeout(unused);
  await Promise.race([upkeepOver, late]);
  clearTimeout(timer);
}
