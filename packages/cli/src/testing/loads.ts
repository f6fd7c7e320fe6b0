import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../commands/every-command.js';
import { run } from '../run.js';
import { type MemoryIo, memoryIo } from './memory-io.js';
import { ScriptedRuns } from './fake-runs.js';
import type { ReceivedRequest, Reply } from './fake-server.js';

/** `count` events, one per line. */
export const lines = (count: number): string => Array.from({ length: count }, (_, id) => `{"id":${id}}\n`).join('');

/** Runs of `millrace ingest`. */
export class Loads extends ScriptedRuns {
  async run(
    args: readonly string[],
    answer: (request: ReceivedRequest, n: number) => Reply,
    input?: readonly (string | Uint8Array)[],
  ): Promise<MemoryIo & { readonly code: number }> {
    const io = memoryIo({ env: await this.serve(answer), ...(input !== undefined && { input }) });
    const code = await run(['ingest', 'logs', ...args], commands, io);
    return { ...io, code };
  }

  file(name: string, content: string | Uint8Array): string {
    const path = join(this.directory, name);
    writeFileSync(path, content);
    return path;
  }
}
