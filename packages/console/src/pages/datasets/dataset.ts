import type { Catalog } from '../../data/catalog.js';

/** A dataset in the catalog. */
export type KnownDataset = Catalog['datasets'][number];
