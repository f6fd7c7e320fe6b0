import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '@millrace/engine';
import { openEngineIn } from '@millrace/server/testing/remote-engine';
import { createDatabase } from '../tables/table-of-dataset.js';

/** An engine in a separate directory, with the database of all datasets and no table. */
interface RealEngine {
  readonly engine: Engine;
  close(): Promise<void>;
}

export async function realEngine(): Promise<RealEngine> {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-tables-'));
  const engine = await openEngineIn(directory);
  await createDatabase(engine);
  return {
    engine,
    close: async () => {
      await engine.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
