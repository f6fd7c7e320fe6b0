import type { Engine } from '@millrace/engine';
import { createTable } from '../tables/table-of-dataset.js';

/**
 * The table of a dataset into which several processes insert. It remembers the tokens of this many
 * parts; an insert whose outcome is unknown is sent again within seconds, and at fifty parts a
 * second they are remembered for minutes.
 */
export const createSharedTable = (engine: Engine, datasetId: number, kind: string | undefined): Promise<void> =>
  createTable(engine, datasetId, { kind, settings: { non_replicated_deduplication_window: 10_000 } });
