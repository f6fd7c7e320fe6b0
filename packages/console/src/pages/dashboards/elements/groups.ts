import { CannotShow } from '../../../widgets/load-error.js';
import { type SeriesData, seriesOf } from '../../../charts/series-data.js';
import type { Slice } from '../../../charts/donut.js';
import type { Answer } from '../../../data/results/results.js';

type Groups = Extract<SeriesData, { readonly kind: 'groups' }>;

/** Converts a result to numbers by group. @throws CannotShow if it has another shape */
export function groupsOf(answer: Answer): Groups {
  const data = seriesOf(answer);
  switch (data.kind) {
    case 'groups':
      return data;
    case 'figures':
      // One row with several numbers: each is a group.
      return {
        kind: 'groups',
        groups: data.figures.map(({ name }) => name),
        series: [{ name: '', values: data.figures.map(({ cell }) => Number(cell)) }],
        left: 0,
      };
    case 'times':
      // For time series: the total of each series.
      return {
        kind: 'groups',
        groups: data.series.map(({ name }) => name),
        series: [
          {
            name: '',
            values: data.series.map(({ values }) => values.reduce<number>((sum, each) => sum + (each ?? 0), 0)),
          },
        ],
        left: data.left,
        ...(data.missing !== undefined && { missing: data.missing }),
      };
    case 'none':
      throw new CannotShow('Requires a number per group: summarize count() by service');
  }
}

export const slicesIn = ({ groups, series, missing }: Groups): readonly Slice[] =>
  groups.map((name, index) => ({
    name,
    value: series[0]?.values[index] ?? 0,
    ...(name === missing && { isMissing: true }),
  }));
