import { MetadataError } from '../metadata/metadata-error.js';
import { type FilledHome, openFilledHome } from '../metadata/postgres/filled-home.js';
import { isRefused, openHome } from '../metadata/postgres/home.js';
import type { Postgres } from '../metadata/postgres/open-postgres.js';
import { PostgresUnfit } from '../metadata/postgres/unfit.js';
import { openSharedHome, type SharedHome } from '../metadata/postgres/shared-home.js';
import { SettingError } from '../settings/settings.js';

/** Those who start together with the server may take some time. */
const waitMilliseconds = 30_000;

/**
 * Opens the database that has the metadata of a directory, or says to the operator why not. Never
 * repeats the address: it has a password.
 * @param milliseconds how long to wait for a database that is away
 * @throws SettingError, DatabaseAwayError
 */
export const openHomeOrSay = (directory: string, url: string, milliseconds = waitMilliseconds): Promise<Postgres> =>
  orSay(url, () => openHome(directory, url, milliseconds));

/**
 * The same for a database that several processes share.
 * @throws SettingError, DatabaseAwayError
 */
export const openSharedHomeOrSay = (url: string): Promise<SharedHome> =>
  orSay(url, () => openSharedHome(url, waitMilliseconds));

/**
 * The same for a database that a restore fills for several processes.
 * @throws SettingError, DatabaseAwayError
 */
export const openFilledHomeOrSay = (url: string): Promise<FilledHome> => orSay(url, () => openFilledHome(url));

/** @throws SettingError, DatabaseAwayError */
export async function orSay<T>(url: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof PostgresUnfit) throw new SettingError('databaseUrl', error.message, { cause: error });
    if (!(error instanceof MetadataError) || error.code !== 'away') throw error;
    const why = error.cause instanceof Error ? error.cause.message : '';
    if (isRefused(error)) throw new SettingError('databaseUrl', `the server refuses it: ${why}`, { cause: error });
    throw new DatabaseAwayError(url, why, error);
  }
}

/**
 * The database does not answer. Nothing has to be wrong with the settings: the same start may
 * succeed later.
 */
class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError';
  readonly code = 'database-away';

  constructor(url: string, why: string, cause: unknown) {
    const { host, pathname } = new URL(url);
    super(`the database of the metadata cannot be reached at ${host}${pathname}: ${why}`, { cause });
  }
}
