import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { differences } from './upgrade/compare.ts';
import { documentedChanges } from './upgrade/documented-changes.ts';
import { fillDirectory } from './upgrade/fill-directory.ts';
import { type Answers, readAnswers } from './upgrade/read-answers.ts';
import { root } from './support/root.ts';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from './support/server-process.ts';

/**
 * A directory of an earlier version answers as it did there, except for changes that
 * docs/upgrading.md lists. To record it again, with the program of an earlier version (then empty
 * upgrade/documented-changes.ts):
 *
 *     UPGRADE_RECORD=EARLIER/packages/cli/bin/millrace.js npx vitest run tests/upgrade.test.ts
 */

const recordedArchive = join(import.meta.dirname, 'upgrade', 'earlier.tar.gz');
const recordedAnswers = join(import.meta.dirname, 'upgrade', 'earlier.json');
const program = process.env['UPGRADE_RECORD'];

const directory = temporaryDirectory();
let server: ServerProcess | undefined;
afterAll(async () => {
  await server?.stop();
  removeDirectory(directory);
});

const settings = { MILLRACE_LOG_LEVEL: 'info' };

it.skipIf(program === undefined)('records a directory and its answers', async () => {
  server = await startServer(directory, settings, { program: program! });
  await fillDirectory(server);
  await server.stop();
  execFileSync('tar', ['-czf', recordedArchive, '-C', directory, '.']);
  // Read after a restart: the recorded directory is that of a stopped server.
  server = await startServer(directory, settings, { program: program! });
  const answers = await readAnswers(server);
  expect(Object.keys(answers)).not.toEqual([]);
  writeFileSync(recordedAnswers, `${JSON.stringify(answers, undefined, 1)}\n`);
});

it.skipIf(program !== undefined)('a directory of an earlier version answers as it did there', async () => {
  execFileSync('tar', ['-xzf', recordedArchive, '-C', directory]);
  server = await startServer(directory, settings);
  const before = JSON.parse(readFileSync(recordedAnswers, 'utf8')) as Answers;
  const after = await readAnswers(server);
  const page = readFileSync(join(root, 'docs', 'upgrading.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const found = new Set(differences(before, after));
  expect([...found].filter((place) => !documentedChanges.some(({ at }) => at === place))).toEqual([]);
  // A change that is listed is really there, and on the page.
  expect(documentedChanges.filter(({ at }) => !found.has(at))).toEqual([]);
  expect(documentedChanges.filter(({ text }) => !page.includes(text))).toEqual([]);
  expect(server.output()).toMatch(/"from":\d+,"to":\d+,.*"msg":"upgraded the metadata/);
});
