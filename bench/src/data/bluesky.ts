import type { Random } from './random.js';
import { firstTime, type Shape } from './shape.js';

/**
 * Events of a social network's public stream, as in the JSONBench data set: mostly likes, some
 * posts, a few about accounts.
 */

const did = (random: Random): string => `did:plc:${didOf(random.pickSkewed(1_000_000))}`;
const didOf = (id: number): string => {
  let text = '';
  for (let rest = Math.imul(id + 1, 0x9e37_79b1) >>> 0, i = 0; i < 24; i++) {
    text += 'abcdefghijklmnopqrstuvwxyz234567'[rest & 31];
    rest = (Math.imul(rest, 0x85eb_ca6b) ^ (rest >>> 13)) >>> 0;
  }
  return text;
};
const cid = (random: Random): string => `bafyrei${random.letters(52)}`;
const words = 'the a and of to sky blue today new people think really good day time world love see make more'.split(
  ' ',
);
const languages = ['en', 'ja', 'pt', 'de', 'es', 'fr', 'ko'] as const;

const reference = (random: Random, collection: string) => ({
  cid: cid(random),
  uri: `at://${did(random)}/${collection}/${random.letters(13)}`,
});

/** Collection → share of the events. */
const collections: readonly (readonly [string, number])[] = [
  ['app.bsky.feed.like', 0.66],
  ['app.bsky.feed.post', 0.12],
  ['app.bsky.feed.repost', 0.1],
  ['app.bsky.graph.follow', 0.09],
  ['app.bsky.graph.block', 0.015],
  ['app.bsky.feed.threadgate', 0.01],
  ['app.bsky.actor.profile', 0.005],
];

function collectionOf(random: Random): string {
  let at = random.fraction();
  for (const [name, share] of collections) if ((at -= share) < 0) return name;
  return collections[0]![0];
}

function record(random: Random, collection: string, createdAt: string): Record<string, unknown> {
  const common = { $type: collection, createdAt };
  switch (collection) {
    case 'app.bsky.feed.like':
    case 'app.bsky.feed.repost':
      return {
        ...common,
        subject: reference(random, 'app.bsky.feed.post'),
        ...(random.chance(0.2) && { via: reference(random, 'app.bsky.feed.repost') }),
      };
    case 'app.bsky.graph.follow':
    case 'app.bsky.graph.block':
      // A string, where likes have an object.
      return { ...common, subject: did(random) };
    case 'app.bsky.feed.post': {
      const text = Array.from({ length: 3 + random.below(30) }, () => random.pick(words)).join(' ');
      return {
        ...common,
        text,
        langs: [random.pick(languages)],
        ...(random.chance(0.5) && {
          reply: { parent: reference(random, collection), root: reference(random, collection) },
        }),
        ...(random.chance(0.3) && {
          embed: {
            $type: 'app.bsky.embed.external',
            external: { title: text.slice(0, 40), uri: 'https://example.org/' },
          },
          facets: [{ index: { byteStart: 0, byteEnd: 9 }, features: [{ $type: 'app.bsky.richtext.facet#link' }] }],
        }),
      };
    }
    default:
      return { ...common, description: random.letters(20), rank: random.below(100) };
  }
}

function event(random: Random, index: number): string {
  // Some 50 events per second, so that the hours in results differ.
  const micros = firstTime * 1000 + Math.floor((index + random.fraction()) * 20_000);
  const head = { did: did(random), time_us: micros };
  if (random.chance(0.01)) {
    const kind = random.chance(0.5) ? 'identity' : 'account';
    const time = new Date(micros / 1000).toISOString();
    const more = { did: head.did, seq: 1e9 + index, time, ...(kind === 'account' && { active: random.chance(0.9) }) };
    return JSON.stringify({ ...head, kind, [kind]: more });
  }
  const collection = collectionOf(random);
  const operation = random.chance(0.95) ? 'create' : 'delete';
  const createdAt = new Date(micros / 1000).toISOString();
  return JSON.stringify({
    ...head,
    kind: 'commit',
    commit: {
      rev: random.letters(13),
      operation,
      collection,
      rkey: random.letters(13),
      ...(operation === 'create' && { record: record(random, collection, createdAt), cid: cid(random) }),
    },
  });
}

const low = 'LowCardinality(String)';

export const bluesky: Shape = {
  name: 'bluesky',
  title: 'Bluesky events',
  event,
  timestampField: 'time_us',
  sortKey: 'time_us',
  flat: false,
  columns: [
    { name: 'time_us', type: 'UInt64', duck: 'UBIGINT' },
    { name: 'did', type: 'String', duck: 'VARCHAR' },
    { name: 'kind', type: low, duck: 'VARCHAR' },
    {
      name: 'commit',
      // The types of records differ between collections, so a hand-made table keeps their text.
      type: `Tuple(rev String, operation ${low}, collection ${low}, rkey String, cid String, record String)`,
      duck: 'STRUCT(rev VARCHAR, operation VARCHAR, collection VARCHAR, rkey VARCHAR, cid VARCHAR, record JSON)',
    },
    { name: 'identity', type: 'String', duck: 'JSON' },
    { name: 'account', type: 'String', duck: 'JSON' },
  ],
};
