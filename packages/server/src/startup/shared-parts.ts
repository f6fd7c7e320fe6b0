import type { ReferenceData } from '@millrace/apl';
import type { Engine } from '@millrace/engine';
import { defaultThreads, Encoders } from '@millrace/ingest/encoders';
import { Compilers } from '@millrace/query/compile/compilers';
import { QueryCapacity } from '@millrace/query/schedule/query-capacity';
import type { Settings } from '@millrace/http/settings/settings';
import type { CloseStack } from '@millrace/runtime/async/close-stack';
import { loadGeoNetworks } from '../lookup-data/geo-networks.js';

/** What all organizations of a server share. Threads, slots and memory are divided by token. */
export interface SharedParts {
  /** With the tables of all. */
  readonly engine: Engine;
  readonly encoders: Encoders;
  readonly compilers: Compilers;
  readonly reference: ReferenceData;
  readonly capacity: QueryCapacity;
}

interface ReferenceFiles {
  readonly settings: Settings;
  readonly modelPrices?: ReferenceData['modelPrices'] | undefined;
}

export async function openSharedParts(base: ReferenceFiles, engine: Engine, opened: CloseStack): Promise<SharedParts> {
  const { settings } = base;
  const reference = await referenceData(base, engine);
  const encoders = new Encoders({
    ...settings,
    ingestThreads: settings.ingestThreads === 0 ? defaultThreads() : settings.ingestThreads,
    heapMegabytes: encoderHeapMegabytes,
    expandedBytes: settings.maxDecompressedBytes,
  });
  opened.add(() => encoders.close());
  const compilers = new Compilers(settings);
  opened.add(() => compilers.close());
  return { engine, encoders, compilers, reference, capacity: new QueryCapacity(settings) };
}

/** Loads the reference data of lookup functions from the files that the settings name. */
async function referenceData({ settings, modelPrices }: ReferenceFiles, engine: Engine): Promise<ReferenceData> {
  return {
    ...(modelPrices !== undefined && { modelPrices }),
    ...(settings.geoNetworks !== undefined && { geoNetworks: await loadGeoNetworks(engine, settings.geoNetworks) }),
  };
}

/** Ten times the heap for a hundred thousand new fields in one body. */
const encoderHeapMegabytes = 1024;
