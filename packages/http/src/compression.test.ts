import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

let world: EngineTestServer;
beforeAll(async () => {
  // Trusts a proxy, so that requests of the tests can have remote addresses.
  world = await openEngineTestServer({ trustedProxies: ['127.0.0.1'] });
  await world.dataset(
    'logs',
    Array.from({ length: 3000 }, (_, n) => ({ n, text: 'the same words again' })),
  );
});
afterAll(() => world.close());

const elsewhere = { 'x-forwarded-for': '192.0.2.7', 'accept-encoding': 'deflate, gzip' };
const rows = (apl: string, headers: Readonly<Record<string, string>>) =>
  world.send('POST', '/v1/datasets/_apl?format=tabular', { apl }, { headers });

/** Headers of the response about its encoding. `fetch` has decompressed the body. */
const encodingHeaders = ({ headers }: { readonly headers: Headers }) => ({
  encoding: headers.get('content-encoding'),
  varies: headers.get('vary'),
});
const gzipHeaders = { encoding: 'gzip', varies: 'Accept-Encoding' };
const plain = { encoding: null, varies: null };

describe('an answer', () => {
  it('is compressed for a remote client that accepts it, with equal content', async () => {
    const [small, large] = [
      await rows('logs | take 300', elsewhere),
      await rows('logs | take 3000 | project n, a = text, b = text, c = text', elsewhere),
    ];
    expect([encodingHeaders(small), encodingHeaders(large)]).toEqual([gzipHeaders, gzipHeaders]);
    // The length of the uncompressed text is not sent.
    expect(Number(small.headers.get('content-length'))).toBeLessThan(small.text.length / 3);
    expect(large.text.length).toBeGreaterThan(64 * 1024);
    expect(large.headers.get('content-length')).toBeNull();
    expect((JSON.parse(large.text) as { tables: { columns: number[][] }[] }).tables[0]!.columns[0]!.length).toBe(3000);
  });

  it.each([
    ['on this machine', { 'accept-encoding': 'gzip' }],
    ['that does not accept it', { ...elsewhere, 'accept-encoding': 'br;q=1, gzip;q=0' }],
  ])('for a client %s is plain', async (_, headers) =>
    expect(encodingHeaders(await rows('logs', headers))).toEqual(plain),
  );

  it('that is short is plain', async () =>
    expect(encodingHeaders(await rows('logs | count', elsewhere))).toEqual(plain));

  it('leaves compressed content alone', async () => {
    const options = { headers: elsewhere };
    const parquet = await world.send('POST', '/v1/export', { apl: 'logs', format: 'parquet' }, options);
    expect(encodingHeaders(parquet)).toEqual(plain);
    const lines = await world.send('POST', '/v1/export', { apl: 'logs' }, options);
    expect(encodingHeaders(lines)).toEqual(gzipHeaders);
    expect(lines.text.trimEnd().split('\n')).toHaveLength(3000);
  });

  it('that is not there again has a tag that says so, compressed or not', async () => {
    const { headers } = await world.send('GET', '/v2/catalogue', undefined, { headers: elsewhere });
    const tag = headers.get('etag')!.replace(/^W\//, '');
    for (const known of [tag, `W/${tag}`]) {
      const again = await world.send('GET', '/v2/catalogue', undefined, {
        headers: { ...elsewhere, 'if-none-match': known },
      });
      expect(again.status).toBe(304);
    }
  });

  it('without an end comes line by line', async () => {
    const abort = new AbortController();
    const answer = await fetch(`${world.url}/v1/tail`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.owner}`, 'content-type': 'application/json', ...elsewhere },
      body: JSON.stringify({ apl: 'logs' }),
      signal: abort.signal,
    });
    expect(encodingHeaders(answer)).toEqual(gzipHeaders);
    const { value } = await answer.body!.pipeThrough(new TextDecoderStream()).getReader().read();
    expect(value).toMatch(/^\{"settled":/);
    abort.abort();
  });
});
