import { expect } from 'vitest';
import { apl, cell } from './apl.ts';
import { request, type ServerProcess } from './server-process.ts';

interface WithQuery {
  readonly query?: { readonly apl?: string };
}

/**
 * Checks what the demonstration creates: an hour of traffic; every query of the dashboard and every
 * saved query runs, no monitor fails, and the one for the simulated fault fires.
 */
export async function expectDemoContent(server: Pick<ServerProcess, 'url' | 'token'>): Promise<void> {
  expect(await cell(server, 'logs | where _time > now(-2h) | summarize dcount(service)')).toBe(3);
  expect(await cell(server, "logs | where status == 500 and version == '1.5.0' | count")).toBeGreaterThan(10);
  expect(await cell(server, 'traces | where isempty(parent_span_id) | count')).toBeGreaterThan(1000);
  const read = async <T>(path: string): Promise<T> => {
    const { status, body } = await request(server, path);
    expect(status, JSON.stringify(body)).toBe(200);
    return body as T;
  };
  const { dashboard } = await read<{ readonly dashboard: { readonly charts: readonly WithQuery[] } }>(
    '/v2/dashboards/uid/the-shop',
  );
  const saved = await read<readonly WithQuery[]>('/v2/apl-starred-queries?who=all');
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
