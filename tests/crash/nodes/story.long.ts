import { longStory } from './long-story.ts';
import { overOneServer } from './one-server-scene.ts';
import { openPlaces } from './places.ts';
import { openReplicatedPlaces } from './replicated-places.ts';
import { overReplicas } from './replicated-scene.ts';

/** `npm run crash -- --nodes`: three nodes are killed, paused and disconnected repeatedly. */

const shards = Number(process.env['CRASH_SHARDS'] ?? 1);

longStory('strikes at three nodes', async () => {
  if (process.env['CRASH_OVER'] !== 'replicas') {
    const places = await openPlaces(3, {}, shards);
    return { scene: overOneServer(places), end: () => places.end() };
  }
  const places = await openReplicatedPlaces({ shards });
  return { scene: overReplicas(places), end: (keep) => places.end(keep) };
});
