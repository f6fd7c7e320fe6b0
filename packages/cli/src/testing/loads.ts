import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { commands } from '../commands/table.js';
import { run } from '../run.js';
import { type MemoryIo, memoryIo } from './memory-io.js';
import { type Received, type Reply, type ScriptedServer, scriptedServer } from './scripted-server.js';

/** That many events, one a line. */
export const lines = (count: number): string => Array.from({ length: count }, (_, id) => `{"id":${id}}\n`).join('');

/** Runs of `millrace ingest` against a scripted server, with files in a directory that is new for each test. */
export class Loads {
  directory = '';
  #server: ScriptedServer | undefined;

  constructor() {
    beforeEach(() => {
      this.directory = mkdtempSync(join(tmpdir(), 'millrace-test-'));
    });
    afterEach(async () => {
      await this.#server?.close();
      this.#server = undefined;
      rmSync(this.directory, { recursive: true, force: true });
    });
  }

  /** What the last server was asked. */
  get received(): readonly Received[] {
    return this.#server?.received ?? [];
  }

  /** Begins a server, in place of the last one, and returns the environment that names it. */
  async serve(answer: Parameters<typeof scriptedServer>[0]): Promise<Readonly<Record<string, string>>> {
    await this.#server?.close();
    this.#server = await scriptedServer(answer);
    return { MILLRACE_URL: this.#server.url, MILLRACE_TOKEN: 'xaat-x' };
  }

  async run(
    args: readonly string[],
    answer: (request: Received, n: number) => Reply,
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
