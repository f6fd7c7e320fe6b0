import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogOutput } from './log-output.js';

let directory: string;
/** Both ends of a named pipe; no reader process is needed. */
let pipe: number;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-log-output-'));
  execFileSync('mkfifo', [join(directory, 'pipe')]);
  pipe = openSync(join(directory, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
});
afterEach(() => {
  closeSync(pipe);
  rmSync(directory, { recursive: true });
});

/** Bytes in the pipe, one character each: a chunk may end within a character. */
function read(): string {
  const room = Buffer.alloc(1 << 17);
  try {
    return room.toString('latin1', 0, readSync(pipe, room));
  } catch {
    return '';
  }
}

const lineOf = (id: number): string => `${String(id).padStart(9, '0')} ${'é'.repeat(1000)}\n`;

describe('a reader that stalls', () => {
  it('drops the newest lines and reports their count when the reader resumes', async () => {
    const output: LogOutput = new LogOutput(pipe, (lines) => output.write(`lost ${lines}\n`));
    const all = 3000;
    for (let id = 0; id < all; id++) {
      output.write(lineOf(id));
      if (id % 100 === 0) await new Promise(setImmediate);
    }
    expect(output.lost).toBeGreaterThan(500);
    expect(output.lost).toBeLessThan(2500);
    // Space may have been freed in between, so lines can be missing anywhere, but the others are
    // complete and in order.
    let got = '';
    const lines = (): readonly string[] => got.split('\n').slice(0, -1);
    const keptLines = (): readonly string[] => lines().filter((line) => !line.startsWith('lost '));
    const reportedLosses = (): number =>
      lines().reduce((sum, line) => sum + (line.startsWith('lost ') ? Number(line.slice(5)) : 0), 0);
    await expect
      .poll(() => ((got += read()), reportedLosses() + keptLines().length), { timeout: 20_000, interval: 1 })
      .toBe(all);
    expect(reportedLosses()).toBe(output.lost);
    const ids = keptLines().map((line) => Number(line.slice(0, 9)));
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
    expect(keptLines()).toEqual(ids.map((id) => Buffer.from(lineOf(id).trimEnd()).toString('latin1')));
    output.write('next\n');
    await expect.poll(read).toBe('next\n');
    output.writeLast();
  }, 30_000);

  it('does not keep the process alive', async () => {
    const output = new LogOutput(pipe, () => undefined);
    output.write('x'.repeat(1 << 17));
    await expect.poll(read).toContain('x');
    output.write('y'.repeat(1 << 17));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const began = performance.now();
    output.writeLast();
    expect(performance.now() - began).toBeLessThan(1500);
  });
});

it('the last lines are written when the process ends, and none after them', async () => {
  const output = new LogOutput(pipe, () => undefined);
  output.write('first\n');
  output.write('last\n');
  output.writeLast();
  expect(read()).toContain('last\n');
  output.write('never\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(read()).not.toContain('never');
});

it.runIf(existsSync('/dev/full'))('a full disk blocks no input, and lines of any length are accepted', async () => {
  const full = openSync('/dev/full', 'w');
  const output = new LogOutput(full, () => undefined);
  output.write('x'.repeat(1 << 21));
  await new Promise((resolve) => setTimeout(resolve, 50));
  output.write('x'.repeat(1 << 21));
  output.write('x');
  expect(output.lost).toBe(1);
  const began = performance.now();
  output.writeLast();
  expect(performance.now() - began).toBeLessThan(500);
  closeSync(full);
});
