import { expect, it } from 'vitest';
import { Loads } from '../testing/loads.js';

const loads = new Loads();

it.each([
  [['--create'], true],
  [[], false],
])('a missing dataset with %j is created: %s', async (args, isCreated) => {
  const path = loads.file('e.ndjson', '{"n":1}\n');
  const { code, written } = await loads.run(['-f', path, ...args], ({ method, url }) => {
    const missing = {
      status: 404,
      body: { message: "dataset 'logs' not found; create it with POST /v2/datasets {}" },
    };
    if (url.pathname.endsWith('/ingest') && isCreated)
      return { body: { ingested: 1, failed: 0, failures: [], processedBytes: 1 } };
    return method === 'POST' && isCreated ? { body: { name: 'logs' } } : missing;
  });
  const requests = loads.received.map(({ method, url }) => `${method} ${url.pathname}`);
  if (isCreated)
    expect(requests.slice(-3)).toEqual(['GET /v2/datasets/logs', 'POST /v2/datasets', 'POST /v1/datasets/logs/ingest']);
  else expect(written.err).toContain('millrace ingest --create');
  expect(code).toBe(isCreated ? 0 : 3);
});
