import { longStory } from './long-story.ts';
import { openReplicatedPlaces } from './replicated-places.ts';
import { replacingReplicas } from './replacing-scene.ts';

/** `npm run crash -- --story replicas`: one replica after the other is replaced by a new one. */

longStory('replicas replaced under three nodes', async () => {
  const places = await openReplicatedPlaces();
  return { scene: replacingReplicas(places), end: (keep) => places.end(keep) };
});
