import type { Question } from './question.js';

/** A range of time, from `from` to before `to`. */
export interface Range {
  readonly from: Date;
  readonly to: Date;
}

/** A query for one run: its texts with all placeholders replaced, and the time range of the APL. */
export interface RunQuery extends Required<Pick<Question, 'apl' | 'sql' | 'json' | 'duck'>> {
  readonly range: Range | undefined;
}

/**
 * The query text for one run.
 * @param run from 0; the range starts that many milliseconds later than in run 0, and the value is
 * different in each run
 */
export function queryForRun({ since, value, apl, sql, json, duck = sql }: Question, run: number): RunQuery {
  const range = since === undefined ? undefined : { from: new Date(Date.parse(since) + run), to: new Date() };
  const places = {
    ...(range !== undefined && { $from: literal(range.from), $to: literal(range.to) }),
    ...(value !== undefined && { $value: value(run) }),
  };
  const fillPlaces = (text: string): string =>
    Object.entries(places).reduce((filled, [place, by]) => filled.replaceAll(place, by), text);
  return {
    range,
    apl: fillPlaces(apl),
    sql: fillPlaces(sql),
    json: fillPlaces(json),
    duck: duck === null ? null : fillPlaces(duck),
  };
}

const literal = (time: Date): string => `'${time.toISOString().slice(0, -1).replace('T', ' ')}'`;
