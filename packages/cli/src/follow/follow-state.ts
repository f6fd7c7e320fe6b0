import { open, readFile, rename } from 'node:fs/promises';
import { Failure } from '../failure.js';
import { isSystemError, problemOf } from '../system-errors.js';

/** How far a file has been sent. */
export interface FollowedFile {
  /** Name when it was last seen. */
  readonly name: string;
  /** Of this content: a truncated file gets another one. No two files have the same. */
  readonly serial: number;
  /** Bytes that are stored. */
  readonly offset: number;
  /** Bytes from `offset` on that a request contains whose response is unknown. */
  readonly sending?: number;
  /** Hashes of the first bytes and of the last ones before `offset`: they identify the content. */
  readonly head: string;
  readonly tail: string;
  /** The followed file that this one is a copy of, until that is truncated. */
  readonly copyOf?: { readonly number: string; readonly serial: number };
}

/** State of following a directory. */
export interface FollowState {
  /** Begins the idempotency keys: those of two states never meet. */
  readonly id: string;
  /** For the next content. */
  readonly nextSerial: number;
  /** By file number: `device-inode`. */
  readonly files: Readonly<Record<string, FollowedFile>>;
}

/**
 * Reads the state; undefined if there is none yet.
 * @throws Failure if it cannot be read: a new start would store everything again
 */
export async function readState(path: string): Promise<FollowState | undefined> {
  try {
    const state = JSON.parse(await readFile(path, 'utf8')) as Partial<FollowState>;
    if (typeof state.id !== 'string' || typeof state.nextSerial !== 'number' || typeof state.files !== 'object')
      throw new Error('it is not a state file');
    return state as FollowState;
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw new Failure('failed', `the state file ${path} cannot be read: ${problemOf(error)}`, { cause: error });
  }
}

/** Replaces the state; it is on disk when this resolves. */
export async function writeState(path: string, state: FollowState): Promise<void> {
  try {
    const next = `${path}.next`;
    const file = await open(next, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(state));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (error) {
    throw new Failure('failed', `the state file ${path} cannot be written: ${problemOf(error)}`, { cause: error });
  }
}
