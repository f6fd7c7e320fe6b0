import { useEffect, useState } from 'react';
import { useCatalog } from '../../data/catalog.js';
import { withCondition } from '../../editor/edits.js';
import { askLanguage } from '../../editor/language.js';
import type { Condition } from './document/conditions.js';
import { type ChosenValue, chosenText } from './document/field-filters.js';

/** A query, and the values chosen for it. */
export interface FilterRequest {
  readonly key: string;
  readonly apl: string;
  readonly chosen: readonly ChosenValue[];
}

/** Key of a query, or of a copy for one value of a filter. */
export const filteredKey = (apl: string, only?: { readonly id: string; readonly value: string }): string =>
  only === undefined ? apl : JSON.stringify([apl, only.id, only.value]);

/**
 * Queries with conditions and filters of the dashboard, by `filteredKey`; those without the fields
 * are omitted.
 */
export type FilteredQueries = ReadonlyMap<string, string>;

const nothing: FilteredQueries = new Map();

/** Undefined until the language service has analyzed all queries; none run before. */
export function useFilteredQueries(
  requests: readonly FilterRequest[],
  conditions: readonly Condition[],
): FilteredQueries | undefined {
  const datasets = useCatalog()?.datasets;
  const [found, setFound] = useState<{ readonly key: string; readonly queries: FilteredQueries }>();
  const isPlain = conditions.length === 0 && requests.every(({ chosen }) => chosen.length === 0);
  const key = isPlain ? '' : JSON.stringify([conditions, requests]);
  useEffect(() => {
    if (key === '' || datasets === undefined) return undefined;
    let isWanted = true;
    const [given, wishes] = JSON.parse(key) as [readonly Condition[], readonly FilterRequest[]];
    const typesOf = new Map(datasets.map(({ name, fields }) => [name, new Map(fields.map((f) => [f.name, f.type]))]));
    const look = async (): Promise<void> => {
      const unique = [...new Map(wishes.map((wish) => [wish.key, wish])).values()];
      const entries = await Promise.all(unique.map((wish) => conditionalValue(wish, given, typesOf)));
      if (isWanted) setFound({ key, queries: new Map(entries.filter((entry) => entry !== undefined)) });
    };
    void look();
    return () => {
      isWanted = false;
    };
  }, [key, datasets]);
  if (key === '') return nothing;
  return found?.key === key ? found.queries : undefined;
}

async function conditionalValue(
  { key, apl, chosen }: FilterRequest,
  conditions: readonly Condition[],
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
  return text === apl ? undefined : [key, text];
}
