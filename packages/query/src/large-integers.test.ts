import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/**
 * Identifiers near and beyond the limits of 64-bit integers. docs/events.md states what this file
 * tests: they are exact, sent as strings or as numbers.
 */

const ids = [
  '18446744073709551615',
  '18446744073709551614',
  '9223372036854775808',
  '9223372036854775807',
  '9223372036854775806',
];

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.dataset(
    'texts',
    ids.map((id) => ({ id })),
  );
  await world.dataset('numbers');
  await world.dataset('mixed');
  await ingestNumbers('numbers', ids);
  await ingestNumbers('mixed', ['9007199254740993', '9007199254740992', '9007199254740992.0', '2', '2.0', '1.5']);
}, 60_000);
afterAll(() => world.close());

/** As text, because JavaScript has no integers of this size. */
async function ingestNumbers(dataset: string, numbers: readonly string[]): Promise<void> {
  const stored = await fetch(`${world.url}/v1/datasets/${dataset}/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.owner}`, 'content-type': 'application/x-ndjson' },
    body: numbers.map((id) => `{"id":${id}}`).join('\n'),
  });
  expect(stored.status).toBe(200);
}

const responseText = async (apl: string): Promise<string> =>
  (await world.send('POST', '/v1/datasets/_apl?format=tabular', { apl })).text;

it.each([
  ["texts | where id == '18446744073709551615' | count", '"columns":[[1]]'],
  ["texts | where id in ('18446744073709551614', '9223372036854775808') | count", '"columns":[[2]]'],
  ['texts | where id == 9223372036854775807 | count', '"columns":[[1]]'],
  ['texts | summarize dcount(id), count_distinct(id)', '"columns":[[5],[5]]'],
  ['texts | summarize by id | count', '"columns":[[5]]'],
  ['numbers | where id == 9223372036854775807 | count', '"columns":[[1]]'],
  ['numbers | where id == 9223372036854775806 | count', '"columns":[[1]]'],
  ["numbers | where id == '18446744073709551615' | count", '"columns":[[1]]'],
  ['numbers | summarize dcount(id), count_distinct(id), dcountif(id, true)', '"columns":[[5],[5],[5]]'],
  ['mixed | summarize dcount(id), count_distinct(id)', '"columns":[[4],[4]]'],
])('%s', async (apl, expected) => expect(await responseText(apl)).toContain(expected));

it('a literal beyond 64 bits is an error, not another number', async () => {
  expect(await responseText('texts | where id == 18446744073709551615')).toContain(
    'the number is too large for 64 bits',
  );
});

it('numbers beyond 2^63 - 1 keep their digits, as strings', async () => {
  const numbers = await responseText('numbers | project id');
  for (const id of ids) expect(numbers).toContain(id);
});
