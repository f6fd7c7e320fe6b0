import type { Question } from './question.js';

/** The five queries of JSONBench. */

const createCondition = "commit.operation = 'create' AND kind = 'commit'";
const createdJson = "data.commit.operation = 'create' AND data.kind = 'commit'";
const posts = "commit.collection = 'app.bsky.feed.post'";
const three = "('app.bsky.feed.post', 'app.bsky.feed.repost', 'app.bsky.feed.like')";
const threeApl = "('app.bsky.feed.post', 'app.bsky.feed.repost', 'app.bsky.feed.like')";
const micros = 'data.time_us.:Int64';
const collection = 'data.commit.collection.:String';
const did = 'data.did.:String';

export const blueskyQuestions: readonly Question[] = [
  {
    name: 'JSONBench 1: events by collection',
    apl: "bluesky | summarize c = count() by ['commit.collection'] | order by c desc, ['commit.collection'] asc",
    sql: "SELECT nullIf(commit.collection, '') AS e, count() AS c FROM bluesky GROUP BY e ORDER BY c DESC, e",
    json: `SELECT ${collection} AS e, count() AS c FROM bluesky_json GROUP BY e ORDER BY c DESC, e`,
    duck: 'SELECT commit.collection AS e, count(*) AS c FROM bluesky GROUP BY e ORDER BY c DESC, e',
    ordered: true,
  },
  {
    name: 'JSONBench 2: events and users by collection',
    apl: "bluesky | where ['commit.operation'] == 'create' and kind == 'commit' | summarize c = count(), users = count_distinct(did) by ['commit.collection'] | order by c desc",
    sql: `SELECT commit.collection AS e, count() AS c, uniqExact(did) FROM bluesky WHERE ${createCondition} GROUP BY e ORDER BY c DESC`,
    json: `SELECT ${collection} AS e, count() AS c, uniqExact(${did}) FROM bluesky_json WHERE ${createdJson} GROUP BY e ORDER BY c DESC`,
    duck: `SELECT commit.collection AS e, count(*) AS c, count(DISTINCT did) FROM bluesky WHERE ${createCondition} GROUP BY e ORDER BY c DESC`,
  },
  {
    name: 'JSONBench 3: hours of the day by collection',
    apl: `bluesky | where ['commit.operation'] == 'create' and kind == 'commit' and ['commit.collection'] in ${threeApl} | extend hour = hourofday(_time) | summarize c = count() by ['commit.collection'], hour | order by hour asc, ['commit.collection'] asc`,
    sql: `SELECT commit.collection AS e, toHour(fromUnixTimestamp64Micro(toInt64(time_us))) AS h, count() AS c FROM bluesky WHERE ${createCondition} AND e IN ${three} GROUP BY e, h ORDER BY h, e`,
    json: `SELECT ${collection} AS e, toHour(fromUnixTimestamp64Micro(${micros})) AS h, count() AS c FROM bluesky_json WHERE ${createdJson} AND e IN ${three} GROUP BY e, h ORDER BY h, e`,
    duck: `SELECT commit.collection AS e, hour(make_timestamp(time_us::BIGINT)) AS h, count(*) AS c FROM bluesky WHERE ${createCondition} AND commit.collection IN ${three} GROUP BY e, h ORDER BY h, e`,
    ordered: true,
  },
  {
    name: 'JSONBench 4: the first three to post',
    apl: `bluesky | where ['commit.operation'] == 'create' and kind == 'commit' and ['commit.collection'] == 'app.bsky.feed.post' | summarize first = min(_time) by did | order by first asc | take 3`,
    sql: `SELECT did, fromUnixTimestamp64Micro(toInt64(min(time_us))) AS first FROM bluesky WHERE ${createCondition} AND ${posts} GROUP BY did ORDER BY first LIMIT 3`,
    json: `SELECT ${did} AS user, fromUnixTimestamp64Micro(min(${micros})) AS first FROM bluesky_json WHERE ${createdJson} AND data.${posts} GROUP BY user ORDER BY first LIMIT 3`,
    duck: `SELECT did, make_timestamp(min(time_us)::BIGINT) AS first FROM bluesky WHERE ${createCondition} AND ${posts} GROUP BY did ORDER BY first LIMIT 3`,
    ordered: true,
  },
  {
    name: 'JSONBench 5: the three active for longest',
    apl: `bluesky | where ['commit.operation'] == 'create' and kind == 'commit' and ['commit.collection'] == 'app.bsky.feed.post' | summarize first = min(_time), last = max(_time) by did | extend span = datetime_diff('millisecond', last, first) | project did, span | order by span desc, did asc | take 3`,
    sql: `SELECT did, date_diff('millisecond', fromUnixTimestamp64Micro(toInt64(min(time_us))), fromUnixTimestamp64Micro(toInt64(max(time_us)))) AS span FROM bluesky WHERE ${createCondition} AND ${posts} GROUP BY did ORDER BY span DESC, did LIMIT 3`,
    json: `SELECT ${did} AS user, date_diff('millisecond', fromUnixTimestamp64Micro(min(${micros})), fromUnixTimestamp64Micro(max(${micros}))) AS span FROM bluesky_json WHERE ${createdJson} AND data.${posts} GROUP BY user ORDER BY span DESC, user LIMIT 3`,
    duck: `SELECT did, date_diff('millisecond', make_timestamp(min(time_us)::BIGINT), make_timestamp(max(time_us)::BIGINT)) AS span FROM bluesky WHERE ${createCondition} AND ${posts} GROUP BY did ORDER BY span DESC, did LIMIT 3`,
    ordered: true,
  },
];
