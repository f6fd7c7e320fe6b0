import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { apl, cell } from './support/apl.ts';
import { request, type ServerProcess } from './support/server-process.ts';

const main = join(import.meta.dirname, '..', 'packages', 'cli', 'bin', 'millrace.js');

it(
  'the demonstration has an hour of traffic, signs in by its link, and leaves nothing behind',
  { timeout: 90_000 },
  async () => {
    const child = spawn(process.execPath, [main, 'demo', '--rate', '1'], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      let printed = '';
      for await (const line of createInterface(child.stdout)) {
        printed += `${line}\n`;
        // All demo resources exist when the link is printed.
        if (line.startsWith('  Stop')) break;
      }
      const [, url = '', token = ''] = /MILLRACE_URL=(\S+) MILLRACE_TOKEN=(\S+)/.exec(printed) ?? [];
      const [, directory = ''] = /Data +(\S+)/.exec(printed) ?? [];
      const server = { url, token };
      expect(await cell(server, 'logs | where _time > now(-2h) | summarize dcount(service)')).toBe(3);
      expect(await cell(server, "logs | where status == 500 and version == '1.5.0' | count")).toBeGreaterThan(10);
      expect(await cell(server, 'traces | where isempty(parent_span_id) | count')).toBeGreaterThan(1000);
      await expectFurnished(server);
      const [, code = ''] = /\/console\/dashboards\/the-shop#code=(\S+)/.exec(printed) ?? [];
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

interface Asking {
  readonly query?: { readonly apl?: string };
}

/**
 * Every query of the dashboard and every saved query runs, no monitor fails, and the one for the
 * simulated fault fires.
 */
async function expectFurnished(server: Pick<ServerProcess, 'url' | 'token'>): Promise<void> {
  const read = async <T>(path: string): Promise<T> => {
    const { status, body } = await request(server, path);
    expect(status, JSON.stringify(body)).toBe(200);
    return body as T;
  };
  const { dashboard } = await read<{ readonly dashboard: { readonly charts: readonly Asking[] } }>(
    '/v2/dashboards/uid/the-shop',
  );
  const saved = await read<readonly Asking[]>('/v2/apl-starred-queries?who=all');
  const queries = [...dashboard.charts, ...saved].flatMap(({ query }) => query?.apl ?? []);
  expect(queries.length).toBeGreaterThan(10);
  for (const query of queries) await apl(server, query, { startTime: 'now-1h', endTime: 'now' });
  const monitors = await read<readonly { readonly id: string; readonly name: string }[]>('/v2/monitors');
  const states = async (): Promise<Readonly<Record<string, string>>> => {
    const found = await read<readonly { readonly id: string; readonly state: string }[]>('/v2/monitors/_status');
    const stateOf = new Map(found.map(({ id, state }) => [id, state]));
    return Object.fromEntries(monitors.map(({ id, name }) => [name, stateOf.get(id) ?? 'not there']));
  };
  await expect.poll(states, { timeout: 30_000 }).toMatchObject({ 'Checkout fails': 'open', 'Slow requests': 'ok' });
  expect(Object.values(await states())).not.toContain('error');
}
