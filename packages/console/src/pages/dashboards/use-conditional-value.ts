import { useEffect, useState } from 'react';
import { useCatalogue } from '../../data/catalog.js';
import { withCondition } from '../../editor/edits.js';
import { askLanguage } from '../../editor/language.js';
import type { Condition } from './document/conditions.js';
import { type Chart, queryOf } from './document/document.js';
import { type ChosenValue, chosenText } from './document/field-filters.js';

/** Queries with conditions and filters of the dashboard; those without the fields are omitted. */
export type FilteredQueries = ReadonlyMap<string, string>;

const nothing: FilteredQueries = new Map();

/** Undefined until the language service has analyzed all queries; none run before. */
export function useFilteredQueries(
  charts: readonly Chart[],
  conditions: readonly Condition[],
  chosen: readonly ChosenValue[],
): FilteredQueries | undefined {
  const datasets = useCatalogue()?.datasets;
  const [found, setFound] = useState<{ readonly key: string; readonly queries: FilteredQueries }>();
  const queries = charts.flatMap((chart) => {
    const query = queryOf(chart);
    return 'apl' in query ? [query.apl] : [];
  });
  const key = conditions.length + chosen.length === 0 ? '' : JSON.stringify([conditions, chosen, queries]);
  useEffect(() => {
    if (key === '' || datasets === undefined) return undefined;
    let wanted = true;
    const [given, values, texts] = JSON.parse(key) as [readonly Condition[], readonly ChosenValue[], readonly string[]];
    const typesOf = new Map(datasets.map(({ name, fields }) => [name, new Map(fields.map((f) => [f.name, f.type]))]));
    const look = async (): Promise<void> => {
      const entries = await Promise.all([...new Set(texts)].map((apl) => conditioned(apl, given, values, typesOf)));
      if (wanted) setFound({ key, queries: new Map(entries.filter((entry) => entry !== undefined)) });
    };
    void look();
    return () => {
      wanted = false;
    };
  }, [key, datasets]);
  if (key === '') return nothing;
  return found?.key === key ? found.queries : undefined;
}

async function conditioned(
  apl: string,
  conditions: readonly Condition[],
  chosen: readonly ChosenValue[],
  typesOf: ReadonlyMap<string, ReadonlyMap<string, string>>,
): Promise<readonly [string, string] | undefined> {
  let text = apl;
  for (const condition of [...conditions, ...chosen]) {
    const outline = await askLanguage('outline', text);
    const type = typesOf.get(outline?.source?.name ?? '')?.get(condition.field);
    // A query of other events shows all of them: the condition does not apply.
    if (outline === undefined || type === undefined) continue;
    const added = 'text' in condition ? condition.text : chosenText(apl, condition, type);
    if (added !== undefined) text = withCondition(text, outline, added);
  }
  return text === apl ? undefined : [apl, text];
}
