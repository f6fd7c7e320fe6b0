import { type DatabaseConnection, type Driver, type SqliteDatabase, SqliteDialect, SqliteDriver } from 'kysely';
import type LibsqlDatabase from 'libsql';
import { MetadataError } from './metadata-error.js';
import { closeSqlite } from './sqlite.js';

/** SQLite for Kysely, whose failures of the disk are a `MetadataError`. */
export class MetadataDialect extends SqliteDialect {
  readonly #sqlite: LibsqlDatabase.Database;

  constructor(sqlite: LibsqlDatabase.Database) {
    super({ database: sqlite });
    this.#sqlite = sqlite;
  }

  override createDriver(): Driver {
    return new MetadataDriver(this.#sqlite);
  }
}

class MetadataDriver extends SqliteDriver {
  readonly #sqlite: LibsqlDatabase.Database;

  constructor(sqlite: LibsqlDatabase.Database) {
    super({ database: told(sqlite) });
    this.#sqlite = sqlite;
  }

  /** When the disk is full SQLite ends the transaction itself; to end it again would fail, and hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sqlite.inTransaction) await super.rollbackTransaction(connection);
  }
}

const told = (sqlite: LibsqlDatabase.Database): SqliteDatabase => ({
  close: () => closeSqlite(sqlite),
  prepare: (sql) => {
    const statement = telling(() => sqlite.prepare(sql));
    return {
      reader: statement.reader,
      all: (parameters) => telling(() => statement.all(parameters)),
      run: (parameters) => telling(() => statement.run(parameters)),
      iterate: (parameters) => statement.iterate(parameters) as IterableIterator<unknown>,
    };
  },
});

function telling<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw MetadataError.of(error) ?? error;
  }
}
