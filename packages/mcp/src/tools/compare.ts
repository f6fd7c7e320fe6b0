import { Type } from 'typebox';
import { roundNumber } from '../answer/cell.js';
import { queryAnswer } from '../answer/query-answer.js';
import { recordsOf, type Rows, rowsFrom } from '../answer/table.js';
import { eventsText } from '../apl-text.js';
import { dataset, limit, exactObject, times, tool, where } from '../tool.js';

export const compare = tool({
  name: 'compare',
  title: 'Compare events with the others',
  description:
    'Which fields differ most between the selected events and the others of the same time, with their values as value: events among the selected vs among the others. Use it to find what failing or slow events have in common.',
  input: exactObject({
    dataset,
    selection: Type.String({
      minLength: 1,
      description: 'Condition for the selected events, such as status >= 500, duration > 1s or _time > ago(10m).',
    }),
    where,
    ...times,
    limit: limit(10, 'fields'),
  }),
  run: async ({ dataset: name, selection, where: condition, limit: max = 10, ...range }, context) => {
    const apl = `${eventsText(name, condition)}\n| summarize selected = countif(${selection}), total = count(), differences = spotlight(${selection}, *)`;
    return {
      text: await queryAnswer({ apl, ...range }, { maxRows: 1, reshape: (rows) => byField(rows, max) }, context),
    };
  },
});

interface Difference {
  readonly value: string;
  /** Events among the selected, and among the others. */
  readonly comparison_count: number;
  readonly baseline_count: number;
}

interface Score {
  readonly effect_size?: number | null;
  readonly delta_score?: number | null;
  readonly median_relative_change?: number | null;
  readonly differences?: readonly Difference[] | null;
}

/** Values of a field that are shown. */
const maxValues = 3;

/** One row for each field, those that differ most first. */
function byField(rows: Rows, max: number): Rows {
  const [record = {}] = recordsOf(rows);
  const { selected, total, differences } = record;
  const scores = Object.entries((differences ?? {}) as Readonly<Record<string, Score | null>>)
    .flatMap(([field, score]) =>
      score === null ? [] : [{ field, score, rank: Math.abs(score.delta_score ?? score.effect_size ?? 0) }],
    )
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, max);
  return rowsFrom(
    ['selected', 'total', 'field', 'score', 'median_change', 'values'],
    scores.map(({ field, score, rank }) => ({
      selected,
      total,
      field,
      score: roundNumber(rank),
      ...(typeof score.median_relative_change === 'number' && {
        median_change: roundNumber(score.median_relative_change),
      }),
      values: valuesText(score.differences),
    })),
  );
}

/** The values that differ most, with their events among the selected and the others. */
const valuesText = (differences: Score['differences']): string =>
  (differences ?? [])
    .slice(0, maxValues)
    .map((each) => `${each.value}: ${each.comparison_count} vs ${each.baseline_count}`)
    .join(' | ');
