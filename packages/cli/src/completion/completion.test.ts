import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../commands/every-command.js';
import { run } from '../run.js';
import { memoryIo } from '../testing/memory-io.js';

const directory = mkdtempSync(join(tmpdir(), 'millrace-completion-'));
const file = (shell: string): string => join(directory, shell);
const shells = ['bash', 'zsh', 'fish'] as const;

beforeAll(async () => {
  for (const shell of shells) {
    const io = memoryIo();
    expect(await run(['completion', shell], commands, io)).toBe(0);
    writeFileSync(file(shell), io.written.out);
  }
});
afterAll(() => rmSync(directory, { recursive: true }));

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

/** What a shell proposes for the last word of a command line. */
const proposals: Readonly<Record<'bash' | 'fish', (words: readonly string[]) => string>> = {
  bash: (words) =>
    `source ${file('bash')}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _millrace; printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: (words) => `source ${file('fish')}; complete -C '${words.join(' ')}' | cut -f 1`,
};

const cases: readonly (readonly [words: readonly string[], found: readonly string[]])[] = [
  [
    ['millrace', 'da'],
    ['dashboard', 'dataset'],
  ],
  [
    ['millrace', 'silence', ''],
    ['create', 'delete', 'list'],
  ],
  [['millrace', 'dataset', 'create', '--re'], ['--retention-days']],
  [
    ['millrace', 'query', '--format', ''],
    ['csv', 'json', 'ndjson', 'table'],
  ],
  [['millrace', 'serve', '--console-d'], ['--console-dir']],
];

describe.each(['bash', 'fish'] as const)('%s', (shell) => {
  it.skipIf(!isThere(shell)).each(cases)('%j', (words, found) => {
    const { stdout, stderr } = spawnSync(shell, ['-c', proposals[shell](words)], { encoding: 'utf8' });
    expect([stderr, stdout.trim().split('\n').toSorted()]).toEqual(['', found]);
  });
});

it.each(shells.filter(isThere))('%s can read its script', (shell) =>
  expect(spawnSync(shell, ['-n', file(shell)], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' }),
);

it('an unknown shell is a usage error', async () => {
  const io = memoryIo();
  expect([await run(['completion', 'csh'], commands, io), io.written.err]).toEqual([
    2,
    "millrace: no completion for 'csh'; expected one of bash, zsh, fish\n",
  ]);
});
