import type { LoadOptions } from '../load.js';
import type { Server } from '../server.js';
import { ingestOnce } from './ingest-once.js';

/** The most that is sent to warm a server up. */
const limits = { requests: 500, rawBytes: 100e6 };

/**
 * Ingests the first bodies without measuring them: a freshly started server has no threads for
 * large bodies yet, and V8 compiles code that has run often. Without this, the first run of five
 * took up to a third longer than the others. Yardsticks need no warm-up.
 */
export async function warmIngest(server: Server, sending: Omit<LoadOptions, 'dataset'>): Promise<void> {
  let rawBytes = 0;
  const bodies = sending.bodies
    .slice(0, limits.requests)
    .filter((body) => (rawBytes += body.rawBytes) < limits.rawBytes);
  await ingestOnce(server, { ...sending, bodies });
}
