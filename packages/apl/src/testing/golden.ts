import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CompileOptions } from '../compiled.js';
import { compileText } from './compile-text.js';
import { parseJson } from './engine.js';
import type { TestEngine } from './engine.js';

/**
 * Golden cases: files `*.cases` beside the code they are about. A case is a query, a line `----` and what comes of it on the real
 * engine: findings as `severity code: message`, then a header of column names and the rows, cells separated by ` | `. Texts stand bare,
 * other values as JSON, null as `∅`. An empty line ends a case; `# …` names the next one. With `GOLDEN=write` the files are
 * rewritten with what comes; read the difference before you commit it.
 */
export function goldenFiles(engine: TestEngine, folder: string, options: () => Partial<CompileOptions>): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.cases'),
  ))
    goldenFile(engine, join(folder, file), options);
}

interface Case {
  readonly name: string | undefined;
  readonly query: string;
  readonly wanted: string;
}

function goldenFile(engine: TestEngine, path: string, options: () => Partial<CompileOptions>): void {
  const write = process.env['GOLDEN'] === 'write';
  const cases = readCases(readFileSync(path, 'utf8'));
  const got: string[] = [];
  describe(basename(path, '.cases'), () => {
    for (const { name, query, wanted } of cases)
      it(name ?? query, () => {
        const outcome = run(engine, query, options());
        got.push(`${name === undefined ? '' : `# ${name}\n`}${query}\n----\n${outcome}\n`);
        if (!write) expect(outcome).toBe(wanted);
      });
    afterAll(() => {
      if (write && got.length === cases.length) writeFileSync(path, got.join('\n'));
    });
  });
}

function readCases(text: string): readonly Case[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((block) => {
      const lines = block.split('\n');
      const name = lines[0]?.startsWith('# ') === true ? lines.shift()?.slice(2) : undefined;
      const at = lines.includes('----') ? lines.indexOf('----') : lines.length;
      return { name, query: lines.slice(0, at).join('\n'), wanted: lines.slice(at + 1).join('\n') };
    });
}

function run(engine: TestEngine, query: string, options: Partial<CompileOptions>): string {
  const result = compileText(query, options);
  const findings = result.diagnostics
    .filter((d) => d.severity !== 'hint')
    .map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
  if (result.kind === 'failed') return findings.join('\n');
  const { output } = result;
  const rows = engine
    .rows(result.query)
    .map((row) =>
      output
        .map(({ json }, i) => shown(json && typeof row[i] === 'string' ? parseJson(row[i]) : row[i], json))
        .join(' | '),
    );
  return [...findings, output.map((column) => column.name).join(' | '), ...rows].join('\n');
}

/** Texts inside dynamic values keep their quotes, so that 1 and "1" differ. */
function shown(cell: unknown, json: boolean): string {
  if (cell === null) return '∅';
  if (typeof cell === 'string' && !json) return cell === '' ? '""' : cell.replaceAll('\n', '\\n');
  return JSON.stringify(cell, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}
