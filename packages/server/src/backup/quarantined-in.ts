import LibsqlDatabase from 'libsql';
import { closeSqlite } from '@millrace/metadata/sqlite';

/** Positions of the quarantined batches in a copy of the metadata. Opens it read-only. */
export function quarantinedBatches(file: string): ReadonlySet<string> {
  const sqlite = new LibsqlDatabase(file);
  try {
    const rows = sqlite.prepare('SELECT position FROM refused_batches').all() as readonly { position: string }[];
    return new Set(rows.map(({ position }) => position));
  } finally {
    closeSqlite(sqlite);
  }
}
