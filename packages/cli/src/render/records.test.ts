import { expect, it } from 'vitest';
import { tokenColumns } from '../commands/token/token.js';
import { memoryIo } from '../testing/memory-io.js';
import { writeRecord, writeRecords } from './records.js';

const id = '1f4f9d6e-9f3c-4d62-9a3f-6f0c3b0f6a11';
const token = {
  id,
  name: 'the one that ships',
  expiresAt: '2027-01-31T00:00:00.000Z',
  datasetCapabilities: { '*': { ingest: ['create'], query: ['read'] } },
  orgCapabilities: { apiTokens: ['read'], datasets: ['read'] },
} as unknown as Parameters<(typeof tokenColumns)[0]['of']>[0];

it.each([80, 40])('a list shows all values in a terminal of %i columns and never wraps IDs', async (width) => {
  const io = memoryIo({ terminal: true, width });
  await writeRecords(io, [token], tokenColumns, false);
  const lines = io.written.out.split('\n');
  expect(io.written.out).not.toContain('…');
  expect(lines[1]).toMatch(new RegExp(`^${id}  `));
  if (width === 80) for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
  // Values of the other columns, read top to bottom.
  const column = (title: string): string => {
    const from = lines[0]!.indexOf(title);
    const until = lines[0]!.indexOf('  ', from);
    const to = until < 0 ? undefined : until + lines[0]!.slice(until).search(/\S/);
    return lines
      .map((line) => line.slice(from, to))
      .join('')
      .replaceAll(' ', '');
  };
  expect(column('name')).toBe('nametheonethatships');
  expect(column('expires')).toBe('expires2027-01-31T00:00:00.000Z');
  expect(column('may')).toBe('may*:ingest+queryorganization:apiTokens+datasets');
});

it('a record shows all its values', async () => {
  const io = memoryIo({ terminal: true, width: 30 });
  await writeRecord(io, { name: 'logs', fields: ['alpha', 'beta', 'gamma'], text: '日本語 '.repeat(5) }, false);
  expect(io.written.out).toBe(
    [
      'name    logs',
      'fields  ["alpha","beta",',
      '        "gamma"]',
      'text    日本語 日本語 日本語',
      '        日本語 日本語',
      '',
    ].join('\n'),
  );
});
