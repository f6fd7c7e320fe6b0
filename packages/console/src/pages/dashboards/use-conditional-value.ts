import { useEffect, useState } from 'react';
import { useCatalogue } from '../../data/catalog.js';
import { withCondition } from '../../editor/edits.js';
import { askLanguage } from '../../editor/language.js';
import type { Condition } from './document/conditions.js';
import { type Chart, queryOf } from './document/document.js';

/** Queries with the conditions of the dashboard; those without the fields are omitted. */
export type Conditioned = ReadonlyMap<string, string>;

const nothing: Conditioned = new Map();

/** Undefined until the language service has analyzed all queries; none run before. */
export function useConditioned(charts: readonly Chart[], conditions: readonly Condition[]): Conditioned | undefined {
  const datasets = useCatalogue()?.datasets;
  const [found, setFound] = useState<{ readonly key: string; readonly queries: Conditioned }>();
  const queries = charts.flatMap((chart) => {
    const query = queryOf(chart);
    return 'apl' in query ? [query.apl] : [];
  });
  const key = conditions.length === 0 ? '' : JSON.stringify([conditions, queries]);
  useEffect(() => {
    if (key === '' || datasets === undefined) return undefined;
    let wanted = true;
    const [wantedConditions, texts] = JSON.parse(key) as [readonly Condition[], readonly string[]];
    const fieldsOf = new Map(datasets.map(({ name, fields }) => [name, new Set(fields.map((field) => field.name))]));
    const look = async (): Promise<void> => {
      const entries = await Promise.all([...new Set(texts)].map((apl) => conditioned(apl, wantedConditions, fieldsOf)));
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
  fieldsOf: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<readonly [string, string] | undefined> {
  let text = apl;
  for (const condition of conditions) {
    const outline = await askLanguage('outline', text);
    const fields = fieldsOf.get(outline?.source?.name ?? '');
    // A query of other events shows all of them: the condition does not apply.
    if (outline === undefined || fields?.has(condition.field) !== true) continue;
    text = withCondition(text, outline, condition.text);
  }
  return text === apl ? undefined : [apl, text];
}
