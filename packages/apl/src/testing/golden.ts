import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeJson } from '@millrace/http/body/json-body';
import type { CompileOptions } from '../compiled-query.js';
import { parseJson } from './engine.js';
import type { TestEngine } from './engine.js';
import { compileWithLookups } from './compile-with-lookups.js';

/**
 * Golden cases: files `*.cases` next to the code they test. A case is a query, a line `----` and
 * its outcome on the real engine: findings as `severity code: message`, then a header of column
 * names and the rows, cells separated by ` | `. Strings are written bare, other values as JSON,
 * null as `∅`. An empty line ends a case; a line `# …` before the query names it. With
 * `GOLDEN=write` the files are rewritten with the actual outcomes; review the difference before you
 * commit it.
 */
interface GoldenFile {
  readonly name: string;
  readonly path: string;
  readonly cases: readonly GoldenCase[];
}

export interface GoldenCase {
  readonly title: string;
  readonly name: string | undefined;
  readonly query: string;
  readonly wanted: string;
}

export const writesGolden = process.env['GOLDEN'] === 'write';

/** All golden files in a folder and its subfolders. */
export const goldenFiles = (folder: string): readonly GoldenFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.cases'))
    .map((file) => ({
      name: basename(file, '.cases'),
      path: join(folder, file),
      cases: readCases(readFileSync(join(folder, file), 'utf8')),
    }));

/**
 * Replaces the expected outcomes of a file with the actual ones; does nothing unless all its cases
 * ran.
 */
export function rewriteGolden({ path, cases }: GoldenFile, outcomes: ReadonlyMap<GoldenCase, string>): void {
  if (cases.some((golden) => !outcomes.has(golden))) return;
  const blocks = cases.map((golden) => {
    const title = golden.name === undefined ? '' : `# ${golden.name}\n`;
    return `${title}${golden.query}\n----\n${outcomes.get(golden)}\n`;
  });
  writeFileSync(path, blocks.join('\n'));
}

function readCases(text: string): readonly GoldenCase[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((block) => {
      const lines = block.split('\n');
      const name = lines[0]?.startsWith('# ') === true ? lines.shift()?.slice(2) : undefined;
      const at = lines.includes('----') ? lines.indexOf('----') : lines.length;
      const query = lines.slice(0, at).join('\n');
      return { title: name ?? query, name, query, wanted: lines.slice(at + 1).join('\n') };
    });
}

/** The outcome of a query in the form of a golden file. */
export function outcomeOf(engine: TestEngine, query: string, options: Partial<CompileOptions>): string {
  const result = compileWithLookups(engine, query, options);
  const findings = result.diagnostics
    .filter((d) => d.severity !== 'hint')
    .map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
  if (result.kind === 'failed') return findings.join('\n');
  const { output } = result;
  const rows = engine
    .rows(result.query)
    .map((row) =>
      output
        .map(({ json }, i) => formatCell(json && typeof row[i] === 'string' ? parseJson(row[i]) : row[i], json))
        .join(' | '),
    );
  return [...findings, output.map((column) => column.name).join(' | '), ...rows].join('\n');
}

/** Texts in dynamic values keep their quotes, so that 1 and "1" differ. */
function formatCell(cell: unknown, json: boolean): string {
  if (cell === null) return '∅';
  if (typeof cell === 'string' && !json) return cell === '' ? '""' : cell.replaceAll('\n', '\\n');
  return writeJson(cell);
}
