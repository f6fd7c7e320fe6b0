import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Failure } from '../failure.js';
import { problemOf } from '../system-errors.js';

/**
 * Creates the data directory if it is missing.
 * @throws Failure with a remedy if it is unusable
 */
export async function requireWritable(dataDir: string): Promise<void> {
  const path = resolve(dataDir);
  try {
    const { nodeFileSystem } = await import('@millrace/log');
    await nodeFileSystem.makeDirectory(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const isFile = error instanceof Error && 'code' in error && (error.code === 'EEXIST' || error.code === 'ENOTDIR');
    const why = isFile ? 'it, or what it should be in, is a file:' : 'make it writable for this user, or';
    throw new Failure(
      'failed',
      `the data directory ${path} cannot be used: ${problemOf(error)}\n${why} choose another with --data-dir`,
      { cause: error },
    );
  }
}
