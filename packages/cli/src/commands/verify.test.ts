import { afterEach, expect, test } from 'vitest';
import { run } from '../run.js';
import { memoryIo } from '../testing/memory-io.js';
import { type ScriptedServer, scriptedServer } from '../testing/fake-server.js';
import { commands } from './every-command.js';

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

/** Verifies a server with this response. */
async function runVerify(found: object) {
  server = await scriptedServer(() => ({ body: { batches: 3, events: 5, skipped: 0, wrong: [], ...found } }));
  const io = memoryIo({ env: { MILLRACE_URL: server.url, MILLRACE_TOKEN: 'xapt-1' } });
  return { code: await run(['verify'], commands, io), ...io.written };
}

test('no problems', async () => {
  const out = '3 batches with 5 events in the log: all stored exactly once\n';
  expect(await runVerify({ refused: [] })).toEqual({ code: 0, out, err: '' });
});

test('an earlier server lists no quarantined batches', async () => {
  expect(await runVerify({})).toMatchObject({ code: 0, err: '' });
});

test('reports quarantined batches', async () => {
  const { code, out, err } = await runVerify({ skipped: 1, refused: ['5', '6'] });
  expect(code).toBe(1);
  expect(out).toBe('3 batches with 5 events in the log, 1 of them deleted since: all others stored exactly once\n');
  expect(err).toMatch(/^the engine refuses 2 of the acknowledged batches \(positions 5, 6\)\. They are kept/);
});

test('lists invalid batches as well', async () => {
  const wrong = [{ position: '7', datasetId: 1, events: 2, rows: 1 }];
  const { code, out, err } = await runVerify({ wrong, refused: ['5'] });
  expect(code).toBe(1);
  expect(out).toContain(': 1 not stored exactly once');
  expect(err).toMatch(/^batch 7 of dataset 1: 2 events, 1 stored\nthe engine refuses 1 of/);
});

test('lists missing events with the time of detection', async () => {
  const missing = [
    { datasetId: 2, dataset: 'logs', partition: 20_261_126, events: 7, since: '2026-11-27T08:00:00.000Z' },
  ];
  const { code, err } = await runVerify({ missing, aside: ['d2/20261126_1_1_0: broken-on-start'] });
  expect(code).toBe(1);
  expect(err).toMatch(
    /^7 events of dataset logs in partition 20261126 .*2026-11-27T08:00:00\.000Z\n.*--accept-missing\n/,
  );
  expect(err).toContain('d2/20261126_1_1_0: broken-on-start');
});
