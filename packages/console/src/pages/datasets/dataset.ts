import type { Catalogue } from '../../data/catalog.js';

/** A dataset in the catalog. */
export type KnownDataset = Catalogue['datasets'][number];
