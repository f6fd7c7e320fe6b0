import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openBrowser } from './open-browser.js';

const directory = mkdtempSync(join(tmpdir(), 'millrace-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('passes the address to the program of the platform', async () => {
  const [program, opened] = [join(directory, 'browser'), join(directory, 'opened')];
  writeFileSync(program, `#!/bin/sh\nprintf %s "$1" > ${opened}.new && mv ${opened}.new ${opened}\n`);
  chmodSync(program, 0o755);
  const url = 'http://127.0.0.1:8080/console/#code=a&b=$HOME';
  expect(await openBrowser(url, program)).toBe(true);
  await expect.poll(() => existsSync(opened)).toBe(true);
  expect(readFileSync(opened, 'utf8')).toBe(url);
});

it('reports a missing program', async () => expect(await openBrowser('http://h', join(directory, 'none'))).toBe(false));
