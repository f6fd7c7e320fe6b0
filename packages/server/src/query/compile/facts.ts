import type { Compiled, CompileOptions, ExternalFile, Fact, Failed } from '@millrace/apl';
import { textAt, valuesOf } from '../run/columns.js';
import type { AnswerTable } from '../run/execute.js';
import type { Compilation } from './compiler-messages.js';
import type { Course } from '../run/jobs.js';
import type { ReadFiles } from './external-files.js';
import { type QueryService, runCompiled } from '../service.js';

/**
 * The columns of some queries depend on the data (`evaluate`), others read files (`externaldata`): before these are compiled, the data is asked and the
 * files are read.
 */

/** Answers a question about the data. */
export type FindFact = (question: Compiled) => Promise<Fact>;

/** Compiles again with every answer, until nothing is left to ask. */
export async function settled(
  attempt: (known: Required<Pick<CompileOptions, 'facts' | 'files'>>) => Promise<Compilation>,
  { find, read }: { readonly find: FindFact; readonly read: ReadFiles },
): Promise<Compiled | Failed> {
  const facts: Fact[] = [];
  const files = new Map<string, ExternalFile>();
  for (;;) {
    const found = await attempt({ facts, files });
    switch (found.kind) {
      case 'asks':
        facts.push(await find(found.question));
        break;
      case 'reads':
        for (const [address, file] of await read(found.addresses)) files.set(address, file);
        break;
      default:
        return found;
    }
  }
}

/**
 * Answers questions as part of a query: in its turn, under its limits, over everything acknowledged before.
 * @throws EngineError
 */
export const factsOf =
  (course: Course, service: QueryService, cached: boolean): FindFact =>
  async (question) => {
    const { table } = await course.turn((deadline) =>
      runCompiled(question, { signal: course.signal, deadline, cached, count: false }, service),
    );
    return rowsOf(table);
  };

function rowsOf({ columns, rows }: AnswerTable): Fact {
  const values = columns.map((column) => valuesOf(column, rows));
  return Array.from({ length: rows }, (_, row) => values.map((column) => JSON.parse(textAt(column, row)) as string));
}
