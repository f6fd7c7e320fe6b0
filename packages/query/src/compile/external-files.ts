import type { ExternalFile } from '@millrace/apl';
import { EngineError } from '@millrace/engine';
import { connectionProblem } from '@millrace/runtime/connection-problem';
import type { Settings } from '@millrace/http/settings/settings';
import { sizeText } from '@millrace/http/settings/setting-units';
import type { QueryExecution } from '../schedule/jobs.js';
import { unpackFile } from './unpack-file.js';

/**
 * Reads the files of a query (`externaldata`). The engine fetches nothing: it would find several
 * hosts in one address, and cannot be stopped while it waits.
 */

/** Reads files from addresses that were found to be allowed. */
export type ReadFiles = (addresses: readonly string[]) => Promise<ReadonlyMap<string, ExternalFile>>;

/**
 * Reads files as part of a query, in its turn and its time.
 * @throws EngineError `time-limit`, `cancelled`
 */
export const filesOf =
  (execution: Pick<QueryExecution, 'signal' | 'runInSlot'>, settings: Settings): ReadFiles =>
  (addresses) =>
    execution.runInSlot(async (deadline) => {
      const late = AbortSignal.timeout(Math.max(0, Math.ceil(deadline - performance.now())));
      const signal = AbortSignal.any([execution.signal, late]);
      const files = new Map<string, ExternalFile>();
      let room = settings.maxExternalDataBytes;
      // Sequentially, so that the files in memory never exceed the limit.
      for (const address of addresses) {
        const read = await readFile(address, room, signal);
        if (execution.signal.aborted) throw new EngineError('cancelled');
        if (late.aborted) throw new EngineError('time-limit');
        if (read instanceof Uint8Array) room -= read.length;
        files.set(address, fileOf(read, new URL(address).host, settings));
      }
      return files;
    });

/** Why a file was not read. */
type Failure =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'connection'; readonly code: string };

async function readFile(address: string, room: number, signal: AbortSignal): Promise<Uint8Array | Failure> {
  try {
    // A redirect could lead to a host that is not allowed.
    const response = await fetch(address, { redirect: 'manual', signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { kind: 'status', status: response.status };
    }
    const pieces: Uint8Array[] = [];
    let size = 0;
    // Leaving the loop early closes the connection.
    for await (const piece of response.body ?? []) {
      size += piece.length;
      if (size > room) return { kind: 'too-large' };
      pieces.push(piece);
    }
    return await unpackFile(Buffer.concat(pieces), room);
  } catch (error) {
    return { kind: 'connection', code: codeOf(error) };
  }
}

/** The code of a failed connection, which is the cause of the error from `fetch`. */
function codeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return String(cause?.code ?? '');
}

function fileOf(read: Uint8Array | Failure, host: string, settings: Settings): ExternalFile {
  // Without a byte order mark, and with a sign in the place of bytes that are no UTF-8.
  return read instanceof Uint8Array
    ? { kind: 'text', text: new TextDecoder().decode(read) }
    : { kind: 'unread', problem: problemOf(read, host, settings) };
}

function problemOf(failure: Failure, host: string, { maxExternalDataBytes }: Settings): string {
  switch (failure.kind) {
    case 'status':
      return failure.status >= 300 && failure.status < 400
        ? `${host} redirects to another address (status ${failure.status}), which is not followed; name that address`
        : `${host} returned status ${failure.status}`;
    case 'too-large':
      return `the files that a query reads have at most ${sizeText(maxExternalDataBytes)} together, and this is too much`;
    case 'damaged':
      return `the file of ${host} cannot be read: ${failure.reason}`;
    case 'connection':
      return `the file cannot be read from ${host}: ${connectionProblem(failure.code)}`;
  }
}
