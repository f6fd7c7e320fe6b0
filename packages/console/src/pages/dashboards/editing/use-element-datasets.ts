import { useEffect, useState } from 'react';
import { askLanguage } from '../../../editor/language.js';
import { type Chart, queryOf } from '../document/document.js';

/** The dataset of each element with a query of one; undefined until all queries are parsed. */
export function useElementDatasets(charts: readonly Chart[]): readonly string[] | undefined {
  const [found, setFound] = useState<{ readonly key: string; readonly datasets: readonly string[] }>();
  const key = JSON.stringify(
    charts.flatMap((chart) => {
      const query = queryOf(chart);
      return 'apl' in query ? [query.apl] : [];
    }),
  );
  useEffect(() => {
    let wanted = true;
    const look = async (): Promise<void> => {
      const outlines = await Promise.all(
        (JSON.parse(key) as readonly string[]).map((apl) => askLanguage('outline', apl)),
      );
      if (wanted) setFound({ key, datasets: outlines.flatMap((outline) => outline?.source?.name ?? []) });
    };
    void look();
    return () => {
      wanted = false;
    };
  }, [key]);
  return found?.key === key ? found.datasets : undefined;
}
