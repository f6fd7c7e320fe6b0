import { readFile } from 'node:fs/promises';
import { Failure, usage } from './failure.js';
import type { Io } from './io.js';
import { messageOf, problemOf } from './system-errors.js';

/** Resources as JSON files, for version control. */

export const fileArgument = { doc: 'JSON file; - for standard input.' } as const;

/**
 * Reads a JSON object from a file.
 * @throws Failure `failed` when the file cannot be read, `usage` when it is not an object
 */
export const readDocument = async (path: string, io: Io): Promise<Readonly<Record<string, unknown>>> =>
  (await readDocumentText(path, io)).value;

/**
 * Also returns the text, which keeps the digits of numbers.
 * @throws as `readDocument`
 */
export async function readDocumentText(
  path: string,
  io: Io,
): Promise<{ readonly text: string; readonly value: Readonly<Record<string, unknown>> }> {
  const text = await textOf(path, io);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usage(`${path} is not JSON: ${messageOf(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw usage(`${path} must hold one JSON object`);
  return { text, value: value as Readonly<Record<string, unknown>> };
}

async function textOf(path: string, { input }: Io): Promise<string> {
  if (path !== '-') {
    return readFile(path, 'utf8').catch((error: unknown) => {
      throw new Failure('failed', `${path} cannot be read: ${problemOf(error)}`, { cause: error });
    });
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of input) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
