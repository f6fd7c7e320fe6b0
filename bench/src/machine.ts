import { cpus, release, totalmem, type } from 'node:os';
import { processorName } from './process-figures.js';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
}

export const machine = (): Machine => ({
  processor: processorName(),
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${type()} ${release()}`,
  node: process.version,
});
