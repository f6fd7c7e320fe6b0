import type { Asks, Compiled, Fact, Failed } from '@millrace/apl';
import { textAt, valuesOf } from '../run/columns.js';
import type { AnswerTable } from '../run/execute.js';
import type { Course } from '../run/jobs.js';
import { type QueryService, runCompiled } from '../service.js';

/** The columns of some queries depend on the data (`evaluate`): before these are compiled, the data is asked what they need to know. */

/** Answers a question about the data. */
export type FindFact = (question: Compiled) => Promise<Fact>;

/** Compiles again with every answer, until nothing is left to ask. */
export async function settled(
  attempt: (facts: readonly Fact[]) => Compiled | Asks | Failed,
  find: FindFact,
): Promise<Compiled | Failed> {
  const facts: Fact[] = [];
  for (;;) {
    const found = attempt(facts);
    if (found.kind !== 'asks') return found;
    facts.push(await find(found.question));
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
