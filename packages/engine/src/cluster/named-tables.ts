/**
 * Which of the known tables a statement may be about: those whose names are quoted in it. One too
 * many costs little, one too few would cost an answer.
 */
export function namedTables(sql: string, known: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  for (const [, name] of sql.matchAll(/[`']([A-Za-z]\w*)[`']/g)) if (known.has(name!)) found.add(name!);
  return [...found];
}
