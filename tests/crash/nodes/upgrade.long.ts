import { join } from 'node:path';
import { newerVersion } from '../../support/newer-program.ts';
import { longStory } from './long-story.ts';
import { openReplicatedPlaces } from './replicated-places.ts';
import { upgradeScene, type Versions } from './upgrade-scene.ts';

/**
 * `npm run crash -- --story upgrade`: nodes over replicas are replaced by those of another version,
 * forth and back.
 */

const olderCheckout = process.env['CRASH_OLDER'];
const versions: Versions =
  olderCheckout === undefined
    ? { older: {}, newer: newerVersion }
    : { older: { program: join(olderCheckout, 'packages', 'cli', 'dist', 'main.js') }, newer: {} };

longStory('times all nodes are replaced by the other version', async () => {
  const places = await openReplicatedPlaces({ first: versions.older });
  return { scene: upgradeScene(places, versions), end: (keep) => places.end(keep) };
});
