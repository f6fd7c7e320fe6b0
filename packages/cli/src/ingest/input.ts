import { createReadStream, open } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import type { Input } from '@millrace/sources/files/outgoing-events';
import { Failure } from '../failure.js';
import { problemOf } from '../system-errors.js';
import type { Io } from '../io.js';

/** Inputs of a load: files or standard input. */

const readBytes = 256 * 1024;

/** Input at a path; `-` is standard input. */
export function inputOf(path: string, io: Io): Input {
  if (path === '-') return { name: 'standard input', bytes: io.input };
  return { name: path, bytes: readFile(path) };
}

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    const isPipe = (await stat(path)).isFIFO();
    yield* isPipe ? await readPipe(path) : createReadStream(path, { highWaterMark: readBytes });
  } catch (error) {
    throw new Failure('failed', `${path} cannot be read: ${problemOf(error)}`, { cause: error });
  }
}

/**
 * Opens a named pipe, such as `<(…)` of a shell. As a file, a pipe with an idle writer would keep
 * the process alive.
 */
const readPipe = async (path: string): Promise<AsyncIterable<Uint8Array>> =>
  new Socket({ fd: await promisify(open)(path, 'r'), readable: true, writable: false });
