import { httpLogs } from '../data/http-logs.js';
import { type Suite, withWorld } from '../world.js';
import { compareProtocols } from './ingest-protocols.js';
import { compareShapes } from './ingest-shapes.js';
import { compareVariations } from './ingest-variations.js';

/**
 * Megabytes of events per second, before any encoding, from the first byte sent until a query sees
 * the last event.
 */
export const ingestSuite: Suite = (context) =>
  withWorld(context, 'ingest', async (world) => {
    await compareShapes(context, world);
    if (context.sizes.shapes.includes(httpLogs.name)) {
      await compareVariations(context, world);
      await compareProtocols(context, world);
    }
  });
