import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Client } from '../../connection/client.js';
import { memoryIo } from '../../testing/memory-io.js';
import { ScriptedRuns } from '../../testing/fake-runs.js';
import { type Cases, casesIn } from './cases.js';
import { compareOpenings, openingsOf, textOf } from './openings.js';
import { runCases } from './run-cases.js';

const scriptedRuns = new ScriptedRuns();
const [start, end] = ['2026-11-20T10:00:00Z', '2026-11-20T10:10:00Z'];
const at = (minute: number): string => `2026-11-20T10:0${minute}:00.000Z`;
const expectedOpening = (minute: number, closed?: number, group = {}) => ({
  opened: Date.parse(at(minute)),
  closed: closed === undefined ? undefined : Date.parse(at(closed)),
  group,
});
const monitor = { name: 'm', type: 'Threshold', aplQuery: 'logs | count', operator: 'Above' } as const;

const parseCases = (cases: unknown): Promise<Cases> => {
  const file = join(scriptedRuns.directory, 'm.cases.json');
  writeFileSync(file, JSON.stringify(cases));
  writeFileSync(join(scriptedRuns.directory, 'e.ndjson'), '{"n":1}\n');
  return casesIn(file, memoryIo({}));
};

it('events are lists and files beside the cases', async () => {
  const events = { logs: ['e.ndjson', { n: 2 }], other: [] };
  const openings = [{ opened: at(1), closed: at(3), group: { host: 'a' } }, { opened: at(4) }];
  expect((await parseCases({ cases: [{ start, end, events, openings }] })).cases).toEqual([
    {
      name: 'case 1',
      start: '2026-11-20T10:00:00.000Z',
      end: '2026-11-20T10:10:00.000Z',
      events: new Map([
        [
          'logs',
          [
            { type: 'application/x-ndjson', text: '{"n":1}\n' },
            { type: 'application/json', text: '[{"n":2}]' },
          ],
        ],
        ['other', []],
      ]),
      openings: [expectedOpening(1, 3, { host: 'a' }), expectedOpening(4)],
    },
  ]);
});

it.each([
  [{}, "must have a list 'cases'"],
  [{ cases: [{ start, end, events: {} }], view: [] }, "a file of cases has no 'view'; did you mean 'views'?"],
  [{ cases: [{ start, end, events: {} }], views: [{ query: 'logs' }] }, "view 1 has no 'query'"],
  [{ cases: [{ start, end, events: {} }], virtualFields: {} }, 'the virtual fields of a file of cases must be a list'],
  [{ cases: [{ start, end, events: {}, opening: [] }] }, "case 1 has no 'opening'; did you mean 'openings'?"],
  [{ cases: [{ end, events: {} }] }, "'start' of case 1 must be a time"],
  [{ cases: [{ start, end, events: [] }] }, "'events' of case 1 must be a JSON object"],
  [{ cases: [{ start, end, events: { logs: 'e.txt' } }] }, 'e.txt must end in .json, .ndjson'],
  [{ cases: [{ start, end, events: { logs: 'none.csv' } }] }, 'none.csv cannot be read'],
  [{ cases: [{ start, end, events: {}, openings: [{ closed: at(1) }] }] }, "'opened' of opening 1 of case 1"],
])('rejects %j', (cases, problem) => expect(parseCases(cases)).rejects.toThrow(problem));

it('a closing belongs to the last opening of its group', () => {
  const change = (minute: number, state: 'open' | 'closed', host: string) => ({
    time: at(minute),
    name: 'm',
    state,
    keys: ['host'],
    values: [host],
  });
  const changes = [change(1, 'open', 'a'), change(2, 'open', 'b'), change(3, 'closed', 'a'), change(4, 'open', 'a')];
  expect(openingsOf(changes)).toEqual([
    expectedOpening(1, 3, { host: 'a' }),
    expectedOpening(2, undefined, { host: 'b' }),
    expectedOpening(4, undefined, { host: 'a' }),
  ]);
});

it('each expected opening needs a separate incident', () => {
  const { missing, unexpected } = compareOpenings(
    [expectedOpening(1, 3), expectedOpening(1, 3), expectedOpening(5)],
    [expectedOpening(1, 3), expectedOpening(5, 6)],
  );
  expect([missing.map(textOf), unexpected.map(textOf)]).toEqual([
    ['opened 2026-11-20T10:01:00Z, closed 2026-11-20T10:03:00Z', 'opened 2026-11-20T10:05:00Z, still open'],
    ['opened 2026-11-20T10:05:00Z, closed 2026-11-20T10:06:00Z'],
  ]);
});

it.each([
  ['passes', { changes: [{ time: at(1), name: 'm', state: 'open', keys: [], values: [] }] }, { passed: true }],
  ['other openings', { changes: [] }, { passed: false, missing: ['opened 2026-11-20T10:01:00Z, still open'] }],
  [
    'a failed run',
    { runs: [{ time: at(0), state: 'error', error: 'no' }] },
    { problem: `the run of ${at(0)} failed: no` },
  ],
  ['too many runs', { complete: false }, { passed: false, problem: expect.stringContaining('shorten it') }],
])('a case with a result: %s', async (_, preview, expected) => {
  const env = await scriptedRuns.serve(({ url }) => ({
    body: url.pathname.endsWith('_preview')
      ? { runs: [], changes: [], notifications: [], complete: true, ...preview }
      : { id: 'v', ingested: 1, failed: 0, failures: [] },
  }));
  const cases = await parseCases({
    views: [{ id: 'view_1', name: 'high', aplQuery: 'logs | where double > 1' }],
    virtualFields: [{ dataset: 'logs', name: 'double', expression: 'n * 2' }],
    cases: [{ start, end, events: { logs: [{ n: 1 }] }, openings: [{ opened: at(1) }] }],
  });
  const client = new Client({ url: env['MILLRACE_URL']!, token: 'x' });
  const results = [];
  for await (const result of runCases(monitor, cases, client)) results.push(result);
  expect(results).toMatchObject([expected]);
  expect(scriptedRuns.received.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
    'POST /v2/datasets',
    'POST /v2/vfields',
    'POST /v2/views',
    'POST /v1/datasets/logs/ingest',
    'POST /v2/monitors/_preview',
    'DELETE /v2/views/v',
    'DELETE /v2/datasets/logs',
  ]);
});
