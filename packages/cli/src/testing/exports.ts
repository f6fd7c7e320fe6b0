import { commands } from '../commands/every-command.js';
import { run } from '../run.js';
import { memoryIo } from './memory-io.js';
import { ScriptedRuns } from './fake-runs.js';
import type { ReceivedRequest, Reply } from './fake-server.js';

/** Rows per page. */
export const pageRows = 4;

export const isExport = ({ url }: ReceivedRequest): boolean => url.pathname === '/v1/export';

/** Runs of `millrace export`. */
export class Exports extends ScriptedRuns {
  /** @param files responses of a server that generates files; without it the route is missing */
  async run(
    args: readonly string[],
    answer: (request: ReceivedRequest, n: number) => Reply,
    files: (request: ReceivedRequest) => Reply | Promise<Reply> = () => ({
      status: 404,
      body: { message: 'no such path' },
    }),
    interrupted = new AbortController().signal,
  ) {
    let pages = 0;
    const env = await this.serve((request) => (isExport(request) ? files(request) : answer(request, pages++)));
    const io = memoryIo({ env, interrupted });
    const code = await run(['export', ...args, '--page-rows', String(pageRows)], commands, io);
    return { code, ...io.written };
  }
}
