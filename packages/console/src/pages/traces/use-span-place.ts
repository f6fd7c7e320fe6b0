import { useMemo } from 'react';
import { useCatalogue } from '../../data/catalogue.js';
import { setTaste, useTaste } from '../../data/taste.js';
import { isZone } from '../../data/time/zones.js';
import { spanDatasets } from '../../rows/trace-links.js';
import { type SpanNames, spanNames } from '../../traces/span-names.js';

export interface SpanPlace {
  /** Every dataset that has spans. */
  readonly places: readonly string[];
  /** The one that is looked at; undefined if there is none. */
  readonly dataset: string | undefined;
  readonly fields: readonly { readonly name: string }[];
  readonly names: SpanNames;
  /** Whether it is known what there is. */
  readonly isKnown: boolean;
  readonly zone: string;
}

/** Where spans are looked for, and how they are asked about there. */
export function useSpanPlace({ d, tz }: { readonly d: string; readonly tz: string }): SpanPlace {
  const catalogue = useCatalogue();
  const taste = useTaste();
  const zone = tz !== '' && isZone(tz) ? tz : taste.zone;
  return useMemo(() => {
    const places = spanDatasets(catalogue);
    const dataset = d === '' ? places[0] : d;
    const fields = catalogue?.datasets.find(({ name }) => name === dataset)?.fields ?? [];
    return { places, dataset, fields, names: spanNames(fields), isKnown: catalogue !== undefined, zone };
  }, [catalogue, d, zone]);
}

/** A zone that a person chooses is theirs from then on, whatever the link said. */
export const takeZone = (zone: string): void => setTaste({ zone });
