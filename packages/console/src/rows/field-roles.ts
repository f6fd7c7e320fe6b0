import { useMemo } from 'react';
import { type Catalog, useCatalog } from '../data/catalog.js';
import type { Answer } from '../data/results/results.js';

/** Fields chosen for a meaning in the settings of a dataset. */
export type FieldRoles = NonNullable<Catalog['datasets'][number]['fieldRoles']>;

const none: FieldRoles = {};

/** The chosen fields of a dataset; none of an unknown one. */
export function useFieldRoles(dataset: string | undefined): FieldRoles {
  const catalog = useCatalog();
  return useMemo(() => catalog?.datasets.find(({ name }) => name === dataset)?.fieldRoles ?? none, [catalog, dataset]);
}

/** The dataset of a result, whose fields are chosen. */
export const datasetOf = (answer: Answer | undefined): string | undefined => answer?.head.datasetNames[0];
