import { useQuery } from '@tanstack/react-query';
import { datasetText, fieldText } from '../../data/apl-text.js';
import { askNumbers } from '../../data/scalar-query.js';

/** Fields per query: longer ones take the server long to compile. */
const AT_ONCE = 100;

interface Coverage {
  readonly events: number;
  /** Events that have the field. */
  readonly having: ReadonlyMap<string, number>;
}

/** Number of events per field in the last day; queried on demand. */
export const useCoverage = (dataset: string, fields: readonly string[], wanted: boolean) =>
  useQuery({
    queryKey: ['coverage', dataset, fields.length],
    enabled: wanted && fields.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Coverage> => {
      const having = new Map<string, number>();
      let events = 0;
      for (let first = 0; first < fields.length; first += AT_ONCE) {
        const some = fields.slice(first, first + AT_ONCE);
        const counts = some.map((name, index) => `f${index} = countif(isnotnull(${fieldText(name)}))`);
        const apl = `${datasetText(dataset)} | summarize events = count(), ${counts.join(', ')}`;
        const numbers = await askNumbers(apl, { from: 'now-24h', to: 'now' }, signal);
        events = numbers['events'] ?? 0;
        for (const [index, name] of some.entries()) having.set(name, numbers[`f${index}`] ?? 0);
      }
      return { events, having };
    },
  });
