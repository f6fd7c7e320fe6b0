import type { Question } from './question.js';

/** A range of time, from `from` to before `to`. */
export interface Range {
  readonly from: Date;
  readonly to: Date;
}

/**
 * The range of a question that has one.
 * @param run how many milliseconds later the range begins than in the first run
 */
export const rangeOf = ({ since }: Question, run: number): Range | undefined =>
  since === undefined ? undefined : { from: new Date(Date.parse(since) + run), to: new Date() };

const literal = (time: Date): string => `'${time.toISOString().slice(0, -1).replace('T', ' ')}'`;

/** SQL with the ends of the range in their places. */
export const withRange = (sql: string, range: Range | undefined): string =>
  range === undefined ? sql : sql.replaceAll('$from', literal(range.from)).replaceAll('$to', literal(range.to));
