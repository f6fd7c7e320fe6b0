import { quoteIdentifier, quoteString } from '@millrace/sql';

/** What a statement is about. */
interface Named {
  readonly tables: readonly string[];
  /** Whether it is about the database as a whole, or may be. */
  readonly isAboutAll: boolean;
}

/**
 * Which tables a statement may be about: those of the database that it names, also such as another
 * process has made a moment ago, and known ones whose names it quotes. One too many costs little,
 * one too few would cost an answer.
 */
export function namedTables(sql: string, database: string, known: ReadonlySet<string>): Named {
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
