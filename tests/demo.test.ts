import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { cell } from './support/apl.ts';

const main = join(import.meta.dirname, '..', 'packages', 'cli', 'dist', 'main.js');

it(
  'the demonstration has an hour of traffic, signs in by its link, and leaves nothing behind',
  { timeout: 90_000 },
  async () => {
    const child = spawn(process.execPath, [main, 'demo', '--rate', '1'], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      let printed = '';
      for await (const line of createInterface(child.stdout)) {
        printed += `${line}\n`;
        if (line.startsWith('The hour is there')) break;
      }
      const [, url = '', token = ''] = /MILLRACE_URL=(\S+) MILLRACE_TOKEN=(\S+)/.exec(printed) ?? [];
      const [, directory = ''] = /Data +(\S+)/.exec(printed) ?? [];
      const server = { url, token };
      expect(await cell(server, 'logs | where _time > now(-2h) | summarize dcount(service)')).toBe(3);
      expect(await cell(server, "logs | where status == 500 and version == '1.5.0' | count")).toBeGreaterThan(10);
      expect(await cell(server, 'traces | where isempty(parent_span_id) | count')).toBeGreaterThan(1000);
      const [, code = ''] = /#code=(\S+)/.exec(printed) ?? [];
      const signedIn = await fetch(`${url}/console/api/session`, {
        method: 'POST',
        headers: { authorization: `Bearer ${code}`, 'x-millrace-console': '1', 'sec-fetch-site': 'same-origin' },
      });
      expect(signedIn.status).toBe(200);
      expect(existsSync(directory)).toBe(true);
      child.kill('SIGINT');
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(existsSync(directory)).toBe(false);
    } finally {
      child.kill('SIGKILL');
    }
  },
);
