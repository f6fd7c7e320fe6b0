import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { commands } from '../commands/table.js';
import { run } from '../run.js';
import { memoryIo } from './memory-io.js';
import { type Received, type Reply, type ScriptedServer, scriptedServer } from './scripted-server.js';

/** Rows a page. */
export const pageRows = 4;

export const isExport = ({ url }: Received): boolean => url.pathname === '/v1/export';

/** Runs of `millrace export` against a scripted server, into a directory that is new for each test. */
export class Exports {
  directory = '';
  #server: ScriptedServer | undefined;

  constructor() {
    beforeEach(() => {
      this.directory = mkdtempSync(join(tmpdir(), 'millrace-test-'));
    });
    afterEach(async () => {
      await this.#server?.close();
      rmSync(this.directory, { recursive: true, force: true });
    });
  }

  /** What the server of the last run was asked. */
  get received(): readonly Received[] {
    return this.#server?.received ?? [];
  }

  /** @param files what a server that makes files itself answers; others do not know the path */
  async run(
    args: readonly string[],
    answer: (request: Received, n: number) => Reply,
    files: (request: Received) => Reply | Promise<Reply> = () => ({ status: 404, body: { message: 'no such path' } }),
    interrupted = new AbortController().signal,
  ) {
    await this.#server?.close();
    let pages = 0;
    this.#server = await scriptedServer((request) => (isExport(request) ? files(request) : answer(request, pages++)));
    const io = memoryIo({ env: { MILLRACE_URL: this.#server.url, MILLRACE_TOKEN: 'xaat-x' }, interrupted });
    const code = await run(['export', ...args, '--page-rows', String(pageRows)], commands, io);
    return { code, ...io.written };
  }
}
