import { type DatabaseConnection, type Driver, type SqliteDatabase, SqliteDialect, SqliteDriver } from 'kysely';
import type LibsqlDatabase from 'libsql';
import { begin, inTransaction } from './in-transaction.js';
import { MetadataError } from './metadata-error.js';
import { closeSqlite } from './sqlite.js';

/** Counts statements that may write, before they run. */
export interface WriteCounter {
  count: number;
}

/** The SQLite dialect of Kysely, with failures of the disk thrown as `MetadataError`. */
export class MetadataDialect extends SqliteDialect {
  readonly #sqlite: LibsqlDatabase.Database;
  readonly #writes: WriteCounter;

  constructor(sqlite: LibsqlDatabase.Database, writes: WriteCounter) {
    super({ database: sqlite });
    this.#sqlite = sqlite;
    this.#writes = writes;
  }

  override createDriver(): Driver {
    return new MetadataDriver(this.#sqlite, this.#writes);
  }
}

class MetadataDriver extends SqliteDriver {
  readonly #sqlite: LibsqlDatabase.Database;

  constructor(sqlite: LibsqlDatabase.Database, writes: WriteCounter) {
    super({ database: toSqlite(sqlite, writes) });
    this.#sqlite = sqlite;
  }

  override async beginTransaction(): Promise<void> {
    withMetadataErrors(() => this.#sqlite.exec(begin));
  }

  /**
   * When the disk is full, SQLite has already rolled the transaction back; a second rollback would
   * fail and hide the cause. Closing the file rolls back too, and querying the transaction state of
   * a closed file would crash the process.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sqlite.open && this.#sqlite.inTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * A statement that times out on the lock of another process, such as `millrace token create`, is
 * never reset by the client, and until it is garbage-collected no transaction can be committed. So
 * `exec`, which keeps no statement, always takes the lock, and statements run after that.
 */
const toSqlite = (sqlite: LibsqlDatabase.Database, writes: WriteCounter): SqliteDatabase => ({
  close: () => closeSqlite(sqlite),
  prepare: (sql) => {
    if (!/^select\b/i.test(sql)) writes.count++;
    const statement = withMetadataErrors(() => sqlite.prepare(sql));
    return {
      reader: statement.reader,
      all: (parameters) => withMetadataErrors(() => statement.all(parameters)),
      run: (parameters) =>
        withMetadataErrors(() =>
          sqlite.inTransaction || !needsLock(sql)
            ? statement.run(parameters)
            : inTransaction(sqlite, () => statement.run(parameters)),
        ),
      iterate: (parameters) => statement.iterate(parameters) as IterableIterator<unknown>,
    };
  },
});

/** `VACUUM INTO`, a copy of the whole file, only reads, and cannot run in a transaction. */
const needsLock = (sql: string): boolean => !/^vacuum/i.test(sql);

function withMetadataErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw MetadataError.of(error) ?? error;
  }
}
