import { useMemo } from 'react';
import { useCatalog } from '../../data/catalog.js';
import { setPreferences, usePreferences } from '../../data/preferences.js';
import { isZone } from '../../data/time/zones.js';
import { spanDatasets } from '../../rows/trace-links.js';
import { type SpanNames, spanNames } from '../../waterfall/span-names.js';

export interface SpanPlace {
  /** All datasets with spans. */
  readonly places: readonly string[];
  /** The selected dataset; undefined if there is none. */
  readonly dataset: string | undefined;
  readonly fields: readonly { readonly name: string }[];
  readonly names: SpanNames;
  /** Whether the datasets are loaded. */
  readonly isKnown: boolean;
  readonly zone: string;
}

/** Dataset, range and field names for span queries. */
export function useSpanPlace({ d, tz }: { readonly d: string; readonly tz: string }): SpanPlace {
  const catalog = useCatalog();
  const preferences = usePreferences();
  const zone = tz !== '' && isZone(tz) ? tz : preferences.zone;
  return useMemo(() => {
    const places = spanDatasets(catalog);
    const dataset = d === '' ? places[0] : d;
    const found = catalog?.datasets.find(({ name }) => name === dataset);
    const fields = found?.fields ?? [];
    return {
      places,
      dataset,
      fields,
      names: spanNames(fields, found?.fieldRoles?.service),
      isKnown: catalog !== undefined,
      zone,
    };
  }, [catalog, d, zone]);
}

/** The user's choice of a zone overrides the link. */
export const takeZone = (zone: string): void => setPreferences({ zone });
