import { certificate } from './certificate.js';
import type { Check } from './check.js';
import { clock, dataDirectory, disk } from './data-directory.js';
import { memory, platform } from './machine.js';
import { clickhouse, consoleAddress, port, postgres, smtp } from './network.js';

/** All checks, in the order in which they are printed. */
export const checks: readonly Check[] = [
  platform,
  memory,
  dataDirectory,
  disk,
  clock,
  port,
  certificate,
  clickhouse,
  postgres,
  smtp,
  consoleAddress,
];
