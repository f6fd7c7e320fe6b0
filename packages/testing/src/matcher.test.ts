import { describe, expect, it } from 'vitest';
import type { Event } from './event.js';
import { checkLogged, checkSpan } from './matcher.js';
import { type Source, withSource } from './source.js';

interface World {
  readonly events?: readonly Event[];
  readonly others?: readonly Event[];
  readonly rejected?: readonly string[];
  readonly maxEvents?: number;
}

/** A dataset with these events, for checks that give up at once. */
function dataset({ events = [], others = [], rejected = [], maxEvents = 1000 }: World): object {
  const within = (name: string, some: readonly Event[]) => some.map((event) => ({ dataset: name, event }));
  const source: Source = {
    label: 'dataset logs',
    limits: { timeout: 1, settle: 1, maxEvents, startTimeout: 1 },
    read: async () => within('logs', events),
    readOthers: async () => within('other', others),
    rejected: () => rejected,
  };
  return withSource({}, source);
}

const at = (milliseconds: number, event: Event): Event => ({
  _time: `2026-01-02T03:04:05.${String(milliseconds).padStart(3, '0')}Z`,
  ...event,
});
const spans = [
  at(1, { kind: 'server', name: 'POST /checkout', trace_id: 't', span_id: 'a' }),
  at(2, {
    kind: 'internal',
    name: 'charge',
    trace_id: 't',
    span_id: 'b',
    parent_span_id: 'a',
    'attributes.custom': { card: 'visa' },
  }),
  at(3, { kind: 'internal', name: 'lost', trace_id: 't', span_id: 'c', parent_span_id: 'z' }),
];
const message = async (outcome: ReturnType<typeof checkLogged>): Promise<string> => (await outcome).message();

describe('a failure shows', () => {
  it('the nearest events, the best first, and what differs', async () => {
    const events = [
      at(1, { level: 'error', msg: 'payment time-out', ordr: 17 }),
      at(2, { level: 'info', msg: 'started', port: 80 }),
    ];
    expect(await message(checkLogged(dataset({ events }), { level: 'error', msg: /timeout/, order: 17 })))
      .toMatchInlineSnapshot(`
      "dataset logs has no log event with level: 'error', msg: /timeout/, order: 17 after 1 ms (option timeout)

      Nearest of 2 log events:

        03:04:05.001  1 of 3 fields as expected
          ✓ level  'error'
          ✗ msg    'payment time-out'
                   expected /timeout/
          ✗ order  absent; the event has ordr: 17
                   expected 17
            { ordr: 17 }

        03:04:05.002  0 of 3 fields as expected
          ✗ level  'info'
                   expected 'error'
          ✗ msg    'started'
                   expected /timeout/
          ✗ order  absent
                   expected 17
            { port: 80 }"
    `);
  });

  it('the parent of a span', async () => {
    const pattern = { name: 'charge', parent: 'POST /cart', attributes: { cart: 'visa' } };
    expect(await message(checkSpan(dataset({ events: spans.slice(0, 2) }), pattern))).toMatchInlineSnapshot(`
      "dataset logs has no span with name: 'charge', parent: 'POST /cart', attributes: { cart: 'visa' } after 1 ms (option timeout)

      Nearest of 2 spans:

        03:04:05.002  1 of 3 fields as expected
          ✓ name             'charge'
          ✗ attributes.cart  absent; the event has attributes.card: 'visa'
                             expected 'visa'
          ✗ parent           'POST /checkout'
                             expected 'POST /cart'
            { kind: 'internal', 'attributes.custom': { card: 'visa' } }

        03:04:05.001  0 of 3 fields as expected
          ✗ name             'POST /checkout'
                             expected 'charge'
          ✗ attributes.cart  absent
                             expected 'visa'
          ✗ parent           the span has no parent
                             expected 'POST /cart'
            { kind: 'server' }"
    `);
  });

  it('that the parent has not arrived', async () =>
    expect(await message(checkSpan(dataset({ events: spans }), { name: 'lost', parent: 'x' }))).toContain(
      "✗ parent  'z'  (no span with this ID arrived)",
    ));

  it('that a match is in another dataset', async () =>
    expect(await message(checkLogged(dataset({ others: [{ msg: 'here' }] }), { msg: 'here' }))).toContain(
      'A match is in another dataset, other.',
    ));

  it('that nothing arrived, and why that may be', async () => {
    expect(await message(checkLogged(dataset({}), { msg: 'x' }))).toMatchInlineSnapshot(`
      "dataset logs has no log event with msg: 'x' after 1 ms (option timeout)

      Nothing arrived in dataset logs, and the server rejected no request.
      Does the program send to the address in env, and has it flushed its logger or exporter?"
    `);
    const rejected = ['POST /v1/datasets/logs/ingest 403: authentication failed'];
    expect(await message(checkLogged(dataset({ rejected }), { msg: 'x' }))).toMatchInlineSnapshot(`
      "dataset logs has no log event with msg: 'x' after 1 ms (option timeout)

      Nothing arrived in dataset logs.

      The server rejected:
        POST /v1/datasets/logs/ingest 403: authentication failed"
    `);
  });

  it('that there are logs but no spans', async () =>
    expect(await message(checkSpan(dataset({ events: [at(1, { msg: 'a' })] }), { name: 'x' }))).toContain(
      "dataset logs has 1 event, but no span. Newest:\n  03:04:05.001  { msg: 'a' }",
    ));

  it('that older events were left out', async () =>
    expect(await message(checkLogged(dataset({ events: [at(1, { n: 1 })], maxEvents: 1 }), { n: 2 }))).toContain(
      'Only the newest 1 event of a dataset were compared (option maxEvents).',
    ));

  it('how many of several events there are', async () =>
    expect(await message(checkLogged(dataset({ events: [at(1, { n: 1 })] }), { n: 1 }, { count: 2 }))).toContain(
      'dataset logs has 1 of 2 log events with n: 1 after 1 ms (option timeout)',
    ));

  it('the event that should not be there', async () => {
    const outcome = await checkLogged(
      dataset({ events: [at(1, { level: 'error', n: 1 })] }),
      { level: 'error' },
      {},
      true,
    );
    expect(outcome.pass).toBe(true);
    expect(outcome.message().replace(/after \d+ ms/, 'after 0 ms')).toMatchInlineSnapshot(`
      "dataset logs has a log event with level: 'error' after 0 ms; .not waits for 1 ms (option settle):

        03:04:05.001
          ✓ level  'error'
            { n: 1 }"
    `);
  });
});

it.each([
  [{ name: 'charge', parent: 'POST /checkout' }, true],
  [{ name: 'charge', parent: /checkout/ }, true],
  [{ name: 'charge', parent: { kind: 'server', parent: null } }, true],
  [{ name: 'charge', parent: { kind: 'client' } }, false],
  [{ name: 'charge', parent: null }, false],
  [{ name: 'POST /checkout', parent: null }, true],
  [{ name: 'lost', parent: null }, false],
  [{ kind: 'internal', attributes: { card: 'visa' } }, true],
])('the span %o: %s', async (pattern, pass) =>
  expect((await checkSpan(dataset({ events: spans }), pattern)).pass).toBe(pass),
);

it('logs are not spans, and spans not logs', async () => {
  const log = at(1, { name: 'x', trace_id: 't', span_id: 'a', body: 'text' });
  expect((await checkSpan(dataset({ events: [log] }), { name: 'x' })).pass).toBe(false);
  expect((await checkLogged(dataset({ events: spans }), { name: 'charge' })).pass).toBe(false);
});

it.each([
  [{}, { msg: 'x' }, {}, /expected a server of startMillrace\(\) or a dataset/],
  [undefined, { msg: 'x' }, {}, /await startMillrace\(\) first/],
  [dataset({}), {}, {}, /the fields of the log event are missing/],
  [dataset({}), { msg: 'x' }, { timeout: -1 }, /option timeout is -1; use a number above 0/],
  [dataset({}), { msg: 'x' }, { settle: NaN }, /option settle is NaN/],
])('wrong use %#: %o', async (received, pattern, options, problem) =>
  expect(checkLogged(received, pattern, options)).rejects.toThrow(problem),
);
