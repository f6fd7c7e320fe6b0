import { placeOf } from '@millrace/metadata/postgres/hosts';
import { reasonOf } from '@millrace/metadata/postgres/reason';
import { MetadataError } from '@millrace/metadata/metadata-error';
import { type FilledHome, openFilledHome } from '@millrace/metadata/postgres/restore-target';
import { isRefused, bindDatabase } from '@millrace/metadata/postgres/database-binding';
import type { Postgres } from '@millrace/metadata/postgres/open-postgres';
import { IncompatibleDatabaseError } from '@millrace/metadata/postgres/incompatible-database';
import { bindSharedDatabase, type SharedHome } from '@millrace/metadata/postgres/shared-binding';
import { SettingError } from '@millrace/http/settings/settings';

/** Processes that start together with the server may take some time. */
const waitMilliseconds = 30_000;

/**
 * Opens the metadata database of a directory, or explains to the operator why not. Never repeats
 * the address: it contains a password.
 * @param milliseconds how long to wait for an unreachable database
 * @throws SettingError, DatabaseAwayError
 */
export const openMetadataOrFail = (
  directory: string,
  url: string,
  milliseconds = waitMilliseconds,
): Promise<Postgres> => explainFailure(url, () => bindDatabase(directory, url, milliseconds));

/**
 * Opens the metadata database that several processes share.
 * @throws SettingError, DatabaseAwayError
 */
export const openSharedDatabase = (url: string): Promise<SharedHome> =>
  explainFailure(url, () => bindSharedDatabase(url, waitMilliseconds));

/**
 * Opens the database that a restore fills for several processes.
 * @throws SettingError, DatabaseAwayError
 */
export const openFilledDatabase = (url: string): Promise<FilledHome> => explainFailure(url, () => openFilledHome(url));

/** @throws SettingError, DatabaseAwayError */
export async function explainFailure<T>(url: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof IncompatibleDatabaseError)
      throw new SettingError('databaseUrl', error.message, { cause: error });
    if (!(error instanceof MetadataError) || error.code !== 'away') throw error;
    const why = reasonOf(error.cause ?? error);
    if (isRefused(error)) throw new SettingError('databaseUrl', `the server refuses it: ${why}`, { cause: error });
    throw new DatabaseAwayError(url, why, error);
  }
}

/** The database is unreachable. The settings may be correct: a later start may succeed. */
class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError';
  readonly code = 'database-away';

  constructor(url: string, why: string, cause: unknown) {
    super(`the database of the metadata cannot be reached at ${placeOf(url)}: ${why}`, { cause });
  }
}
