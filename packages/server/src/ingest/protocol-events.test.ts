import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineWorld, openEngineWorld } from '../testing/engine-world.js';
import { type EventCase, eventCases } from './testing/event-cases.js';

/** What becomes of the events of each protocol, and what their senders are told. */

let world: EngineWorld;
beforeAll(async () => {
  world = await openEngineWorld();
});
afterAll(() => world.close());

/** Events in the order of their times, without what is not set and the time of arrival. */
async function eventsOf(dataset: string): Promise<readonly object[]> {
  const { tables } = await world.apl(`['${dataset}'] | project-away _sysTime | order by _time asc`);
  const { fields, columns } = tables[0]!;
  return (columns[0] ?? []).map((_, row) =>
    Object.fromEntries(
      fields.map(({ name }, column) => [name, columns[column]![row]]).filter(([, value]) => value !== null),
    ),
  );
}

let datasets = 0;

test.each(eventCases)('$what', async ({ path, method = 'POST', headers = {}, body, answer, events }: EventCase) => {
  const dataset = `case-${++datasets}`;
  await world.dataset(dataset);
  const token = await world.token({ datasetCapabilities: { [dataset]: { ingest: ['create'] } } });
  const sent = await fetch(`${world.url}${path.replace('{dataset}', dataset)}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: Uint8Array.from(Buffer.from(body)),
  });
  const text = await sent.text();
  expect({ status: sent.status, text }).toMatchObject(answer);
  expect(await eventsOf(dataset)).toEqual(events.map((event) => ({ _time: expect.any(String), ...event })));
});
