import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { longFiles } from './long-files-first.ts';

const root = join(import.meta.dirname, '..');

/** Starts a process, a thread, an engine, a server or a browser. */
const starts =
  /node:(?:child_process|worker_threads)\b|\bchdb\b|\b(?:open|start|launch)\w*(?:Engine|Server|Postgres|World)\b|playwright/;

/** Test helpers, whose own imports also count; product code starts nothing when it is imported. */
const isHelper = (path: string): boolean => /\/testing\/|^tests\/.*\//.test(path);

function importedHelpers(path: string, text: string): readonly string[] {
  return [...text.matchAll(/(?:from |import\(|import )'([^']+)'/g)].flatMap(([, name = '']) => {
    const own = /^@millrace\/([^/]+)\/(testing.*)$/.exec(name);
    const target = own === null ? join(dirname(path), name) : `packages/${own[1]}/src/${own[2]}`;
    if ((own === null && !name.startsWith('.')) || !isHelper(target)) return [];
    const candidates = [target.replace(/\.js$/, '.ts'), `${target}.ts`, `${target}/index.ts`, target];
    const found = candidates.find((file) => existsSync(join(root, file)) && statSync(join(root, file)).isFile());
    return found === undefined ? [] : [found];
  });
}

/** Whether a test file starts nothing, itself or by its helpers. */
export function startsNothing(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return true;
  seen.add(path);
  const text = readFileSync(join(root, path), 'utf8');
  return !starts.test(text) && importedHelpers(path, text).every((helper) => startsNothing(helper, seen));
}

/** Files that start nothing but calculate for long. */
export const slowFiles: readonly string[] = [
  'packages/alerts/src/simulation.test.ts',
  'packages/apl/src/bind/expression-budget.test.ts',
  'packages/apl/src/editor/robustness.test.ts',
  'packages/apl/src/syntax/robustness.test.ts',
  'packages/cli/src/commands/backup.test.ts',
  'packages/cli/src/commands/ingest.test.ts',
  'packages/events/src/names.test.ts',
  'packages/ingest/src/encoders.test.ts',
  'packages/query/src/compile/compilers.test.ts',
  'packages/query/src/schedule/export-slots.test.ts',
];

const testFilesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);

/** The test files of `npm run test:quick`: those that only calculate, and not for long. */
export function quickFiles(): readonly string[] {
  const folders = [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`), 'tests'];
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap(testFilesIn)
    .filter((file) => !longFiles.includes(file) && !slowFiles.includes(file) && startsNothing(file));
}
