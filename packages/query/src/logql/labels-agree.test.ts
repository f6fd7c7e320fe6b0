import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/**
 * What was pushed reads back, and the engine finds lines by the same labels that the response
 * shows: both are computed, in different ways, over random lines.
 */

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
});
afterAll(() => world.close());

const start = 1_790_000_000;
const count = 60;

interface PushedStream {
  readonly labels: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly line: string;
}

const name = fc.constantFrom('a', 'b', 'message', 'level', 'a_b', 'labels', '_time');
const word = fc.constantFrom('', 'x', 'a b', '"q"', 'é', '7', '1.50', '{', 'a=b', '\\', 'line\nbreak');
const scalar = fc.oneof(word, fc.integer({ min: -5, max: 5 }), fc.boolean(), fc.constant(null));
const object = fc.dictionary(
  name,
  fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), fc.dictionary(name, scalar, { maxKeys: 2 })),
  { maxKeys: 4 },
);
const logfmt = fc
  .array(fc.tuple(name, word), { maxLength: 4 })
  .map((pairs) => pairs.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(' '));
const pushedStreams: fc.Arbitrary<PushedStream> = fc.record({
  labels: fc.dictionary(fc.constantFrom('app', 'a', 'message', '_time'), fc.constantFrom('x', 'y "z"', 'é\\'), {
    minKeys: 1,
  }),
  metadata: fc.dictionary(fc.constantFrom('trace', 'b'), fc.constantFrom('1', '2')),
  line: fc.oneof(
    object.map((value) => JSON.stringify(value)),
    logfmt,
    word,
  ),
});

async function push(dataset: string, lines: readonly PushedStream[]): Promise<void> {
  const streams = lines.map(({ labels, metadata, line }, i) => ({
    stream: labels,
    values: [[`${start + i}000000001`, line, metadata]],
  }));
  const response = await fetch(`${world.url}/v1/ingest/${dataset}/loki/api/v1/push`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({ streams }),
  });
  expect(response.status).toBe(204);
}

interface FoundStream {
  readonly labels: Readonly<Record<string, string>>;
  readonly time: string;
  readonly line: string;
}

async function ask(dataset: string, path: string, parameters: Readonly<Record<string, string>>) {
  const address = `${world.url}/loki/${dataset}/loki/api/v1/${path}?${new URLSearchParams(parameters)}`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${world.owner}` } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return (JSON.parse(text) as { readonly data: { readonly result: unknown } }).data.result;
}

async function linesOf(dataset: string, query: string): Promise<readonly FoundStream[]> {
  const range = { start: `${start}000000000`, end: `${start + count}000000000`, limit: '1000' };
  const result = (await ask(dataset, 'query_range', { query, ...range })) as readonly {
    readonly stream: Readonly<Record<string, string>>;
    readonly values: readonly (readonly [string, string])[];
  }[];
  return result
    .flatMap(({ stream, values }) => values.map(([time, line]) => ({ labels: stream, time, line })))
    .toSorted((a, b) => (a.time < b.time ? -1 : 1));
}

/** Lines by the value of a label, as the engine counts them. */
async function counts(dataset: string, parser: string, label: string): Promise<Readonly<Record<string, number>>> {
  const query = `sum by (${label}) (count_over_time({app=~".*"} | ${parser} [${count}s]))`;
  const series = (await ask(dataset, 'query', { query, time: String(start + count) })) as readonly {
    readonly metric: Readonly<Record<string, string>>;
    readonly value: readonly [number, string];
  }[];
  return Object.fromEntries(series.map(({ metric, value }) => [metric[label] ?? '', Number(value[1])]));
}

test('what was pushed reads back, and labels of lines are the same in the engine', async () => {
  const lines = fc.sample(pushedStreams, { numRuns: count, seed: 7 });
  await world.dataset('loki-agree');
  await push('loki-agree', lines);

  expect(await linesOf('loki-agree', '{app=~".*"}')).toEqual(
    lines.map(({ labels, metadata, line }, i) => ({
      labels: { ...metadata, ...labels },
      time: `${start + i}000000001`,
      line,
    })),
  );

  for (const parser of ['json', 'logfmt']) {
    const shown = await linesOf('loki-agree', `{app=~".*"} | ${parser}`);
    for (const label of ['a', 'b', 'level', 'a_b', 'a_extracted', 'labels', '__error__']) {
      const expected: Record<string, number> = {};
      for (const { labels } of shown) expected[labels[label] ?? ''] = (expected[labels[label] ?? ''] ?? 0) + 1;
      if (parser === 'logfmt' && label === '__error__') continue;
      expect([parser, label, await counts('loki-agree', parser, label)]).toEqual([parser, label, expected]);
    }
  }
});
