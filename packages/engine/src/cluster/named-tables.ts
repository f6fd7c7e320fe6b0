import { quoteIdentifier, quoteString } from '@millrace/sql';

/** The tables of a statement. */
interface StatementTables {
  readonly tables: readonly string[];
  /** Whether it is, or may be, about the whole database. */
  readonly isAboutAll: boolean;
}

/**
 * Which tables a statement may be about: those of the database that it names, including tables that
 * another process has just created, and known ones whose names it quotes. A superfluous one costs
 * little; a missing one would make the result wrong.
 */
export function namedTables(sql: string, database: string, known: ReadonlySet<string>): StatementTables {
  const prefix = `${quoteIdentifier(database)}.`;
  const found = new Set<string>();
  for (const match of sql.matchAll(/[`']([A-Za-z]\w*)[`']/g)) {
    const name = match[1]!;
    if (known.has(name) || sql.startsWith(prefix, match.index - prefix.length)) found.add(name);
  }
  const isAboutAll =
    found.size === 0 && (sql.includes(quoteIdentifier(database)) || sql.includes(quoteString(database)));
  return { tables: [...found], isAboutAll };
}
