import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bodyOf } from '../connection/body.js';
import type { Client } from '../connection/client.js';
import { withRetries, type RetryOptions } from '../connection/retry.js';

/** A received file. */
export interface ReceivedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface ReceiveOptions extends Partial<RetryOptions> {
  /** Sends the request; called once per attempt. */
  readonly ask: () => Promise<Response>;
  readonly client: Client;
  readonly directory: string;
  readonly name: string;
  readonly progress?: (bytes: number) => void;
}

/**
 * Downloads a response to a temporary file, fsyncs it and renames it. An interrupted download
 * starts over; the 10 attempts of the default outlast a server restart.
 * @throws AnswerError, ConnectionError or file system errors
 */
export const receive = (options: ReceiveOptions): Promise<ReceivedFile> =>
  withRetries(() => receiveOnce(options), { attempts: 10, ...options });

async function receiveOnce({ client, ask, directory, name, progress, signal }: ReceiveOptions): Promise<ReceivedFile> {
  const answer = await ask();
  const unfinished = join(directory, `${name}.part`);
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(unfinished, 'w', 0o600);
  try {
    for await (const chunk of bodyOf(client, answer, signal)) {
      hash.update(chunk);
      for (let at = 0; at < chunk.byteLength;) at += (await file.write(chunk, at)).bytesWritten;
      bytes += chunk.byteLength;
      progress?.(bytes);
    }
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(unfinished, { force: true });
    throw error;
  }
  await file.close();
  await rename(unfinished, join(directory, name));
  return { name, bytes, sha256: hash.digest('hex') };
}

/** Writes a file atomically and durably. */
export async function writeDurably(directory: string, name: string, text: string): Promise<void> {
  const unfinished = join(directory, `${name}.part`);
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, join(directory, name));
  await syncDirectory(directory);
}

/** Fsyncs a directory so that its file names are durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
