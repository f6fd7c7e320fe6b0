import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { protocols } from '@millrace/ingest/protocols';
import type { Protocol } from '@millrace/ingest/protocol';
import { variableOf } from '@millrace/http/settings/settings';
import { settingsTable } from '@millrace/http/settings/settings-table';
import { type DocumentedPage, documentedRuns } from './documented-runs.js';
import { root } from './support/root.js';

/**
 * Every configuration in the documentation can be read by its program, as far as its syntax goes,
 * and names settings and paths that exist. `npm run conformance` runs programs with them.
 */

interface Block {
  readonly page: string;
  readonly where: string;
  /** The heading above it. */
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map(inDocs),
];
function inDocs(name: string): string {
  return `docs/${name}`;
}

const blocks: readonly Block[] = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: language = '', 2: block = '', index }) => ({
    page,
    heading: headingBefore(text, index),
    where: `${page}:${text.slice(0, index).split('\n').length}`,
    language,
    text: block,
  }));
});

function headingBefore(text: string, index: number): string {
  const outside = text.slice(0, index).replaceAll(/^```.*?^```$/gms, '');
  return [...outside.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '';
}

/** Throws if brackets or quotes do not match; `#` and `//` begin comments. */
function requireBalance(text: string): void {
  const closing: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };
  const open: string[] = [];
  const plain = text.replaceAll(/^\s*(#|\/\/).*$/gm, '').replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');
  for (const sign of plain) {
    if (sign in closing) open.push(closing[sign]!);
    else if (Object.values(closing).includes(sign) && open.pop() !== sign) throw new Error(`unexpected ${sign}`);
  }
  if (open.length > 0) throw new Error(`missing ${open.at(-1)}`);
  if (/"[^"]*$/.test(plain.replaceAll('""', ''))) throw new Error('a quote is never closed');
}

/** Throws unless each line is a section, a property or a comment. */
function requireProperties(text: string): void {
  for (const line of text.split('\n'))
    if (!/^\s*($|[#;]|\[\[?[\w."-]+\]?\]$|[\w.-]+ *= *\S)/.test(line)) throw new Error(`unexpected line: ${line}`);
  requireBalance(text.replaceAll(/^\[.*$/gm, ''));
}

/** Throws if elements do not match. */
function requireElements(text: string): void {
  const open: string[] = [];
  for (const [, end, name = '', alone] of text.matchAll(/<(\/?)([\w-]+)[^>]*?(\/?)>/g))
    if (end === '/' && open.pop() !== name) throw new Error(`unexpected </${name}>`);
    else if (end === '' && alone === '') open.push(name);
  if (open.length > 0) throw new Error(`missing </${open.at(-1)}>`);
}

const checks: Readonly<Record<string, (text: string) => unknown>> = {
  sh: (text) => execFileSync('bash', ['-n'], { input: text, stdio: 'pipe' }),
  yaml: (text) =>
    parseAllDocuments(text).forEach((document) => {
      if ('errors' in document && document.errors.length > 0) throw document.errors[0]!;
    }),
  json: (text) => void JSON.parse(text),
  ini: requireProperties,
  toml: requireProperties,
  xml: requireElements,
  js: requireBalance,
  ts: requireBalance,
  nginx: requireBalance,
  caddyfile: requireBalance,
};
/** Text for people, and languages with tests of their own. */
const uncheckedLanguages: ReadonlySet<string> = new Set(['kusto', 'sql', 'haproxy']);

describe('syntax', () => {
  test.each(blocks.filter(({ language }) => !uncheckedLanguages.has(language)))(
    '$where ($language)',
    ({ language, text }) => {
      const check = language === '' ? requireBalance : checks[language];
      expect(check, `no check for ${language}`).toBeDefined();
      expect(() => check!(text)).not.toThrow();
    },
  );
});

describe('each configuration for senders is tied to a run, or says why there is none', () => {
  const pages = Object.keys(documentedRuns) as readonly DocumentedPage[];
  const isNamed = ({ heading, text }: Block, name: string): boolean => `${heading} | ${text}`.startsWith(name);
  const named = pages.flatMap((page) =>
    Object.entries(documentedRuns[page]).map(([name, run]) => ({
      name: `${page}: ${name}`,
      run,
      found: blocks.filter((block) => block.page === page && isNamed(block, name)),
    })),
  );

  test('none is missing', () => {
    const isTied = (block: Block): boolean => named.some(({ found }) => found.includes(block));
    const untied = blocks.filter((block) => block.page in documentedRuns && !isTied(block));
    expect(untied.map(({ where, heading }) => `${where}: ${heading}`)).toEqual([]);
  });

  test.each(named)('$name', ({ run, found }) => {
    expect(found).toHaveLength(1);
    if (typeof run === 'string') return expect(run).toMatch(/\w{4}/);
    const source = readFileSync(join(root, run.file), 'utf8');
    const isMissing = (part: string): boolean => !found[0]!.text.includes(part) || !source.includes(part);
    expect(run.parts.filter(isMissing)).toEqual([]);
  });
});

test('settings that configurations name exist', () => {
  const known = new Set<string>(
    Object.keys(settingsTable).map((name) => variableOf(name as keyof typeof settingsTable)),
  );
  // Of clients, not of the server.
  const others = new Set(['MILLRACE_URL', 'MILLRACE_TOKEN', 'MILLRACE_DEPLOYMENT']);
  const unknown = blocks.flatMap(({ where, text }) =>
    [...text.matchAll(/\bMILLRACE_[A-Z0-9_]+/g)]
      .map(([name]) => name)
      .filter((name) => !known.has(name) && !others.has(name))
      .map((name) => `${where}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('addresses that shippers are given lead to paths that are served', () => {
  const paths = Object.values<Protocol>(protocols).flatMap(({ endpoints }) => endpoints.map(({ path }) => path));
  const served = [...paths, '/v1/ingest/{dataset}', '/v1/logs', '/v1/traces', '/v1/metrics'].map((path) =>
    path.split('/').slice(1),
  );
  const leads = (path: string): boolean => {
    const parts = path.split('/').filter((part) => part !== '');
    return served.some(
      (segments) => parts.length <= segments.length && parts.every((part, i) => isSegment(segments[i]!, part)),
    );
  };
  const isSegment = (segment: string, part: string): boolean => segment === part || segment.startsWith('{');
  const addresses = blocks
    .filter(({ where }) => where.startsWith('docs/shippers.md'))
    .flatMap(({ where, text }) =>
      [...text.matchAll(/HOST(?::8080)?(\/[\w./{}-]*)/g)].map(([, path]) => [where, path!]),
    );
  expect(addresses.length).toBeGreaterThan(8);
  expect(addresses.filter(([, path]) => !leads(path!))).toEqual([]);
});
