import { EngineError } from './errors.js';

const usualReserve = 16 * 1024 * 1024;

/**
 * Looks whether a server has room for the definition of a table. On a full disk ClickHouse writes
 * an empty one in place of the one before, says that all is well, and does not start with it any
 * more.
 *
 * @param ask a small question, whose answer is one number
 * @param least bytes that have to be free; 16 MiB if left out
 * @throws EngineError `disk-full`
 */
export async function requireRoomForDefinitions(
  ask: (sql: string) => Promise<number>,
  least = usualReserve,
): Promise<void> {
  if ((await ask(`SELECT count() FROM system.disks WHERE name = 'default' AND free_space < ${least}`)) === 0) return;
  const detail = `the disk of ClickHouse has less than ${least} bytes left for definitions of tables`;
  throw new EngineError('disk-full', detail, 'elsewhere');
}
