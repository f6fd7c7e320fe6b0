import type { Catalogue } from '../../data/catalogue.js';

/** A dataset as the catalogue has it. */
export type KnownDataset = Catalogue['datasets'][number];
