import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Millrace } from './millrace.js';
import { assertLogged } from './node.js';
import type { MillraceOptions } from './options.js';
import { startServerProcess, stopServerProcess } from './server-process.js';
import { startMillrace } from './start.js';

const root = join(import.meta.dirname, '../../..');
const options: MillraceOptions = {
  command: join(root, 'packages/cli/bin/millrace.js'),
  timeout: 20_000,
  settle: 50,
  startTimeout: 100_000,
};
let millrace: Millrace;

beforeAll(async () => {
  millrace = await startMillrace(options);
});
afterAll(() => millrace?.stop());

const send = async (dataset: string, events: readonly object[], token = millrace.token): Promise<number> => {
  const { status } = await fetch(`${millrace.url}/v1/datasets/${dataset}/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(events),
  });
  return status;
};

it('one server serves the process', async () => expect((await startMillrace(options)).url).toBe(millrace.url));

it('compiled code of the server is kept among the packages', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-fake-'));
  const command = join(directory, 'fake.mjs');
  writeFileSync(command, 'console.log(`listening on http://cache${process.env.NODE_COMPILE_CACHE}`);');
  const server = await startServerProcess({ command }, 20_000);
  expect(server.url).toBe(`http://cache${join(process.cwd(), 'node_modules/.cache/millrace')}`);
  await stopServerProcess(server);
  rmSync(directory, { recursive: true });
});

it('datasets are created by ingest and are separate', async () => {
  const [one, other] = [millrace.dataset(), millrace.dataset('other')];
  expect(await send(one.name, [{ n: 1 }])).toBe(200);
  expect(await one.events('project n')).toEqual([{ n: 1 }]);
  expect(other.name).toMatch(/^other-/);
  await expect(other.events('where true', { timeout: 1 })).rejects.toThrow(/Nothing arrived in dataset other-/);
});

it('waits for events that come later', async () => {
  const dataset = millrace.dataset();
  const waiting = dataset.events('where n > 1 | project n', { count: 2 });
  await send(dataset.name, [{ n: 1 }, { n: 2 }]);
  await send(dataset.name, [{ n: 3 }]);
  expect(await waiting).toEqual([{ n: 2 }, { n: 3 }]);
});

it('a query without results describes the available data instead', async () => {
  const { name, events } = millrace.dataset();
  await send(name, [{ _time: '2026-01-02T03:04:05Z', level: 'info', msg: 'started' }]);
  await send('fixed', [{ level: 'error' }]);
  await send(name, [{}], 'xaat-wrong');
  const problem = await events("where level == 'error'", { timeout: 1 }).catch(String);
  expect(String(problem).replaceAll(name, 'test')).toMatchInlineSnapshot(`
    "Error: no event of dataset test after 1 ms (option timeout) matches

      where level == 'error'

    1 event is there. Fields of the query:
      level  'info'

    Newest:
      03:04:05.000  { level: 'info', msg: 'started' }

    The query has results in another dataset: fixed.

    The server rejected:
      POST /v1/datasets/test/ingest 403: authentication failed: the token is malformed (xaat-…<uuid> or xapt-…<uuid> is expected)"
  `);
  await expect(events("where levl == 'error'", { timeout: 1 })).rejects.toThrow('the field levl; did you mean level?');
});

it('an invalid query fails at once', async () => {
  const { name, events } = millrace.dataset();
  await send(name, [{ n: 1 }]);
  await expect(events('whre n == 1')).rejects.toThrow(/did you mean where/);
});

it('has the variables that clients and SDKs read', async () => {
  const { name, env } = millrace.dataset();
  expect(env).toMatchObject({ AXIOM_URL: millrace.url, AXIOM_TOKEN: millrace.token, AXIOM_DATASET: name });
  expect(env['OTEL_EXPORTER_OTLP_HEADERS']).toBe(`Authorization=Bearer%20${millrace.token},X-Axiom-Dataset=${name}`);
  expect(millrace.env).toMatchObject({ AXIOM_DATASET: 'logs', OTEL_EXPORTER_OTLP_ENDPOINT: millrace.url });
});

it('clear deletes all datasets, which programs may use again', async () => {
  await send('fixed', [{ n: 1 }]);
  await millrace.clear();
  await expect(millrace.events('fixed', 'where true', { timeout: 1 })).rejects.toThrow(/Nothing arrived/);
  await send('fixed', [{ n: 2 }]);
  await assertLogged(millrace, { n: 2 });
});

it('a server that has ended is named', async () => {
  const other = await startMillrace({ ...options, settings: { MILLRACE_LOG_LEVEL: 'warn' } });
  expect(other.url).not.toBe(millrace.url);
  await other.stop();
  await expect(other.events('logs')).rejects.toThrow(/the server of startMillrace\(\) has ended/);
});

it.each<readonly [MillraceOptions, RegExp]>([
  [{ settings: { MILLRACE_PORT: 'x' } }, /the server ended with 2 at its start:\n[^]*MILLRACE_PORT/],
  [{ command: join(root, 'none.js') }, /the server ended with 1 at its start:\n[^]*none\.js/],
  [{ startTimeout: 1, settings: {} }, /did not listen within 1 ms \(option startTimeout\)/],
  [{ startTimeout: 0 }, /option startTimeout is 0; use a number above 0/],
])('a start with %o fails', async (wrong, problem) =>
  expect(startMillrace({ ...options, ...wrong })).rejects.toThrow(problem),
);

it('a killed process leaves neither server nor directory', async () => {
  const temporary = join(tmpdir(), `millrace-test-orphan-${process.pid}`);
  mkdirSync(temporary);
  const start = new URL('../dist/start.js', import.meta.url).href;
  const program = `const { startMillrace } = await import(${JSON.stringify(start)});
    console.log((await startMillrace({ command: ${JSON.stringify(options.command)}, startTimeout: 100_000 })).url);
    setInterval(() => 0, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
  const url = printed.toString().trim();
  await fetch(url);
  expect(readdirSync(temporary)).toHaveLength(1);
  parent.kill('SIGKILL');
  await expect
    .poll(() =>
      fetch(url).then(
        () => 'serves',
        () => 'gone',
      ),
    )
    .toBe('gone');
  await expect.poll(() => readdirSync(temporary)).toEqual([]);
  rmSync(temporary, { recursive: true });
});
