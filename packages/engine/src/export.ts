import { openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Socket } from 'node:net';
import { quoteString } from '@millrace/sql';
import type { OutputFormat } from './engine.js';
import { EngineError, fileError } from './errors.js';
import { pipeEnding, pipeReading, type Scratch } from './scratch.js';

/**
 * Streams a result as bytes through a named pipe: the engine formats straight into it and pauses
 * when it is full, so memory is bounded on both sides and every format comes out whole (chDB's own
 * streaming makes a complete document of each chunk, and blocks its process while it plans). The
 * pipe always has a reader until the engine is done with it: an engine waiting for a reader cannot
 * be stopped.
 *
 * @param run runs the statement; aborting the signal stops it, and it settles when it has stopped
 * @throws EngineError while iterating
 */
export async function* exportThroughPipe(
  scratch: Pick<Scratch, 'makePipe' | 'remove'>,
  sql: string,
  format: OutputFormat,
  outer: AbortSignal | undefined,
  run: (sql: string, signal: AbortSignal) => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  if (format === 'JSONCompactColumns') throw new EngineError('rejected', 'columns cannot be streamed');
  const path = await scratch.makePipe();
  const pipe = openPipe(path);
  if (pipe instanceof EngineError) {
    await scratch.remove(path);
    throw pipe;
  }
  const stopping = new AbortController();
  const outcome = run(`${sql}\nINTO OUTFILE ${quoteString(path)} TRUNCATE FORMAT ${format}`, stopping.signal).then(
    () => undefined,
    (error: unknown) => error,
  );
  const ended = outcome.then(() => endPipe(path));
  const stop = () => {
    if (stopping.signal.aborted) return;
    const drain = openPipe(path);
    pipe.destroy();
    // Without this reader the engine may wait for one and not notice the kill; its process would
    // then be killed as stuck.
    if (drain instanceof Socket) {
      drain.resume();
      void ended.then(() => drain.destroy());
    }
    stopping.abort();
  };
  outer?.addEventListener('abort', stop, { once: true });
  if (outer?.aborted === true) stop();
  let whole = false;
  try {
    yield* pipe as AsyncIterable<Buffer>;
    const error = await outcome;
    if (error !== undefined) throw error;
    whole = true;
  } catch (error) {
    throw stopping.signal.aborted ? new EngineError('cancelled') : error;
  } finally {
    outer?.removeEventListener('abort', stop);
    if (!whole) stop();
    void ended.then(() => scratch.remove(path));
  }
}

/**
 * Returns the error if the system can open no more files: thrown from a listener, it would end the
 * server.
 */
function openPipe(path: string): Socket | EngineError {
  try {
    const pipe = new Socket({ fd: openSync(path, pipeReading), readable: true, writable: false });
    return pipe.on('error', () => pipe.destroy());
  } catch (error) {
    return fileError(error);
  }
}

/**
 * A pipe ends when its last writer closes; if the engine never opened it, this opens and closes it
 * instead.
 */
async function endPipe(path: string): Promise<void> {
  await open(path, pipeEnding).then(
    (file) => file.close(),
    () => undefined,
  );
}
