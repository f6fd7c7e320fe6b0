import LibsqlDatabase from 'libsql';
import { closeSqlite } from '../metadata/sqlite.js';

/** Positions of the refused batches that a copy of the metadata holds. The copy is not changed. */
export function refusedIn(file: string): ReadonlySet<string> {
  const sqlite = new LibsqlDatabase(file);
  try {
    const rows = sqlite.prepare('SELECT position FROM refused_batches').all() as readonly { position: string }[];
    return new Set(rows.map(({ position }) => position));
  } finally {
    closeSqlite(sqlite);
  }
}
