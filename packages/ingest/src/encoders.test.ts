import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { gzipSync } from 'node:zlib';
import {
  ColumnBudget,
  DEFAULT_BUDGET,
  DEFAULT_LIMITS,
  type ColumnPlacement,
  serializeBlock,
  type SteppedPlacement,
} from '@millrace/events';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { currentThread } from '@millrace/runtime/async/thread-clock';
import { HttpError } from '@millrace/api/errors';
import { type BodyOptions, encodeBody, type EncodedBody } from './encode-body.js';
import { Encoders, type EncoderOptions } from './encoders.js';

const options: BodyOptions = {
  dataset: 1,
  format: 'json',
  contentType: 'application/x-ndjson',
  mapFields: new Set(['whole']),
  arrival: 1_790_000_000_000_000_000n,
  limits: { ...DEFAULT_LIMITS, maxDecompressedBytes: 64 << 20 },
};

const open: Encoders[] = [];
function encodersOf(changes: Partial<EncoderOptions> = {}): Encoders {
  const encoders = new Encoders({ ingestThreads: 2, heapMegabytes: 256, ...changes });
  open.push(encoders);
  return encoders;
}
afterEach(() => Promise.all(open.splice(0).map((encoders) => encoders.close())));

/** Encoding transfers a body: each use needs a copy. */
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const plain = ({ encoded: { block, ...rest }, bodyBytes }: EncodedBody) => ({
  bytes: Buffer.from(serializeBlock(block)).toString('base64'),
  rest,
  bodyBytes,
});

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof HttpError ? error.code : String(error)),
  );

const lines = (count: number, event: (n: number) => object): string =>
  Array.from({ length: count }, (_, n) => `${JSON.stringify(event(n))}\n`).join('');

/** Decides in one step. */
const steppedPlacement = (placement: ColumnPlacement): SteppedPlacement => ({
  ...placement,
  *placeColumns(batch) {
    yield;
    return placement.place(batch);
  },
});

describe('a thread gives what this thread gives', () => {
  const encoders = new Encoders({ ingestThreads: 1, heapMegabytes: 256 });
  afterEach(() => expect(encoders.usageOf('').all).toBe(0));
  afterAll(() => encoders.close());
  const check = (name: string, body: string | Uint8Array, changes: Partial<BodyOptions> = {}) =>
    test(`${name}`, async () => {
      const how = { ...options, ...changes };
      const sentBytes = () => (typeof body === 'string' ? bytes(body) : Uint8Array.from(body));
      const here = encodeBody(sentBytes(), how, new ColumnBudget());
      expect(plain(await encoders.encode(sentBytes(), how, new ColumnBudget()))).toEqual(plain(here));
    });

  const events = lines(2000, (n) => ({ n, text: `t${n % 7}`, ['f' + (n % 50)]: n / 3, whole: { a: n } }));
  check('NDJSON', events);
  check('a part of a larger buffer', Buffer.from(`[${events}]`).subarray(1, -1));
  check('nothing', '');
  check('nothing but failures', 'x\n{"a":\n[1]\n');
  check('failures and neighbors', '{"a":1}\n{"a":}\n{"a":"b"}\n');
  check('CSV', 'a,b\n1,2\n3,4\n', { format: 'csv', contentType: 'text/csv' });
  check('gzip', gzipSync(events), { contentEncoding: 'gzip' });
  check('a time field with a layout', '{"when":"02.01.2026"}', {
    timestampField: 'when',
    timestampFormat: '02.01.2006',
  });
  check('labels', events, { labels: '{"host":"a"}' });
  check('a locked schema', events, { schema: { fields: new Map([['n', ['integer']]]) } });
  check(
    'fields beyond the columns',
    lines(1, () => Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`k${n}`, n]))),
  );
});

/** The threads of this process and their nice values. Threads may exit during the scan. */
const threads = (): ReadonlyMap<string, number> =>
  new Map(
    readdirSync('/proc/self/task').flatMap((thread): readonly (readonly [string, number])[] => {
      try {
        return [[thread, getPriority(Number(thread))]];
      } catch {
        return [];
      }
    }),
  );

test('a busy thread yields to the threads that answer requests', async () => {
  const before = threads();
  await encodersOf({ ingestThreads: 1 }).encode(bytes('{"a":1}'), options, new ColumnBudget());
  const started = [...threads()].filter(([thread]) => !before.has(thread)).map(([, niceness]) => niceness);
  expect(started).toContain(Math.min(19, getPriority(currentThread()) + 5));
});

test.each(['', 'gzip'])('a thread keeps no bodies, content encoding %j', async (contentEncoding) => {
  const encoders = encodersOf({ ingestThreads: 1 });
  const text = JSON.stringify({ text: 'x'.repeat(1 << 20) });
  const bufferBytes = (): number => process.memoryUsage().arrayBuffers;
  const sent = contentEncoding === 'gzip' ? gzipSync(text, { level: 0 }) : bytes(text);
  const before = bufferBytes();
  for (let i = 0; i < 20; i++)
    await encoders.encode(Uint8Array.from(sent), { ...options, contentEncoding }, new ColumnBudget());
  // The last one may still be there.
  expect(bufferBytes()).toBeLessThan(before + (3 << 20));
});

test('an idle thread ends, and another is available for the next body', async () => {
  const encoders = encodersOf({ ingestThreads: 1, idleMilliseconds: 1 });
  for (let i = 0; i < 3; i++) {
    const { encoded } = await encoders.encode(bytes('{"a":1}'), options, new ColumnBudget());
    expect(encoded.ingested).toBe(1);
    await expect.poll(() => encoders.threads).toBe(0);
  }
});

describe('errors of a whole body', () => {
  const check = (name: string, body: Uint8Array, changes: Partial<BodyOptions>, code: string) =>
    test(`${name}`, async () => {
      const encoders = encodersOf({ ingestThreads: 1 });
      const how = { ...options, ...changes };
      expect(await codeOf(encoders.encode(body, how, new ColumnBudget()))).toBe(code);
      // The thread continues.
      expect((await encoders.encode(bytes('{"a":1}'), options, new ColumnBudget())).encoded.ingested).toBe(1);
    });
  const zeros = gzipSync(new Uint8Array(1 << 24));
  check('damaged', bytes('no gzip'), { contentEncoding: 'gzip' }, 'invalid-events');
  check('labels', bytes('{}'), { labels: '[]' }, 'invalid-request');
  check('a layout', bytes('{}'), { timestampField: 't', timestampFormat: 'no layout' }, 'invalid-request');
  check(
    'a body that expands without end',
    zeros,
    { contentEncoding: 'gzip', limits: { ...options.limits, maxDecompressedBytes: 1 << 16 } },
    'body-too-large',
  );
});

describe('columns', () => {
  test('threads that submit fields simultaneously stay within the shared budget', async () => {
    const encoders = encodersOf({ ingestThreads: 3 });
    const budget = new ColumnBudget({ ...DEFAULT_BUDGET, softColumns: 40, hardColumns: 40 });
    const bodies = Array.from({ length: 24 }, (_, body) =>
      lines(300, (n) => ({
        common: n,
        ...Object.fromEntries(Array.from({ length: 5 }, (_, k) => [`b${body}k${k}`, n])),
      })),
    );
    const all = await Promise.all(bodies.map((body) => encoders.encode(bytes(body), options, budget)));
    const columns = new Set(all.flatMap(({ encoded }) => encoded.block.columns.map(({ name }) => name)));
    for (const system of ['_time', '_overflow']) columns.delete(system);
    expect(columns.size).toBe(40);
    expect([...columns].toSorted()).toEqual([...budget.columns].toSorted());
    for (const [body, { encoded }] of all.entries()) {
      expect(encoded.uses.map(({ field, count }) => [field, count])).toEqual(
        ['common', ...Array.from({ length: 5 }, (_, k) => `b${body}k${k}`)].map((field) => [field, 300]),
      );
    }
  });

  test('the budget is checked when the columns are known, not when the body arrives', async () => {
    let calls = 0;
    const placement = steppedPlacement({ place: ({ uses }) => (calls++, uses.map(() => true)) });
    const encoders = encodersOf();
    await Promise.all([
      encoders.encode(bytes('{"a":1}'), options, placement),
      encoders.encode(bytes(''), options, placement),
    ]);
    expect(calls).toBe(1);
  });
});

describe('turns', () => {
  const sender = (token: string) => ({ token, signal: new AbortController().signal });
  const long = () => bytes(lines(3000, (n) => Object.fromEntries(Array.from({ length: 100 }, (_, k) => [`f${k}`, n]))));
  const short = () => bytes('{"a":1}');

  test('a token without a body in flight gets a separate thread', async () => {
    const encoders = encodersOf({ ingestThreads: 1 });
    const encode = (token: string) => encoders.encode(long(), options, new ColumnBudget(), sender(token));
    const all = [encode('a'), encode('a')];
    expect(encoders.threads).toBe(1);
    all.push(encode('b'), encode('c'));
    expect(encoders.threads).toBe(2);
    await Promise.all(all);
  });

  test('tokens take turns, however many bodies one of them has', async () => {
    const encoders = encodersOf({ ingestThreads: 1 });
    const order: string[] = [];
    const placement = (token: string) =>
      steppedPlacement({ place: ({ uses }) => (order.push(token), uses.map(() => true)) });
    const encode = (token: string) => encoders.encode(short(), options, placement(token), sender(token));
    await Promise.all(['a', 'a', 'a', 'a', 'b', 'c'].map(encode));
    expect(order.indexOf('c')).toBeLessThan(order.lastIndexOf('a') - 1);
  });

  test('a body without a waiting request is not read further', async () => {
    const encoders = encodersOf({ ingestThreads: 1 });
    const abort = new AbortController();
    const gone = { token: 'gone', signal: abort.signal };
    const both = [0, 1].map(() => codeOf(encoders.encode(long(), options, new ColumnBudget(), gone)));
    abort.abort();
    expect(await Promise.all(both)).toEqual(['invalid-events', 'invalid-events']);
    expect((await encoders.encode(short(), options, new ColumnBudget(), sender('other'))).encoded.ingested).toBe(1);
    expect(encoders.usageOf('').all).toBe(0);
  });

  test('a body has only so much time', async () => {
    const encoders = encodersOf({ ingestThreads: 1, encodeTimeout: 1 });
    expect(await codeOf(encoders.encode(long(), options, new ColumnBudget(), sender('slow')))).toBe('invalid-events');
    expect(encoders.usageOf('').all).toBe(0);
  });
});

describe('room', () => {
  const large = (): Uint8Array => gzipSync(`[${' '.repeat(40 * 2 ** 20)}{"a":1}]`);
  const packed = { ...options, contentEncoding: 'gzip' };

  test('large bodies are encoded one after the other, and small ones beside them', async () => {
    const encoders = encodersOf({ ingestThreads: 2, expandedBytes: 50 * 2 ** 20 });
    let inside = 0;
    const max: number[] = [];
    // A body is in progress while its placement is requested.
    const placement = (isLarge: boolean): SteppedPlacement => ({
      place: ({ uses }) => uses.map(() => true),
      *placeColumns({ uses }) {
        if (isLarge) max.push(++inside);
        yield;
        if (isLarge) inside--;
        return uses.map(() => true);
      },
    });
    const all = await Promise.all([
      encoders.encode(large(), packed, placement(true)),
      encoders.encode(large(), packed, placement(true)),
      encoders.encode(large(), packed, placement(true)),
      encoders.encode(bytes('{"a":1}'), options, placement(false)),
    ]);
    expect(all.map(({ encoded }) => encoded.ingested)).toEqual([1, 1, 1, 1]);
    expect(max).toEqual([1, 1, 1]);
  });

  test('a very large body leaves its room when its thread has ended, also when it is refused', async () => {
    const encoders = encodersOf({ ingestThreads: 2, expandedBytes: 80 * 2 ** 20 });
    const huge = gzipSync(`${' '.repeat(70 * 2 ** 20)}{"a":1}`, { level: 1 });
    const roomy = { ...packed, limits: { ...packed.limits, maxDecompressedBytes: 256 * 2 ** 20 } };
    const wrong = { ...roomy, labels: 'no object' };
    const refused = await codeOf(encoders.encode(Uint8Array.from(huge), wrong, new ColumnBudget()));
    let threads = 0;
    const placement: SteppedPlacement = {
      place: ({ uses }) => uses.map(() => true),
      *placeColumns({ uses }) {
        threads = encoders.threads;
        yield;
        return uses.map(() => true);
      },
    };
    await encoders.encode(Uint8Array.from(huge), roomy, placement);
    expect([refused, threads]).toEqual(['invalid-request', 1]);
    await expect.poll(() => encoders.threads).toBe(0);
  });

  test('a body that is given up leaves its room to the next', async () => {
    const encoders = encodersOf({ ingestThreads: 2, expandedBytes: 1 });
    const abort = new AbortController();
    const gone = { token: 'gone', signal: abort.signal };
    const given = codeOf(encoders.encode(large(), packed, new ColumnBudget(), gone));
    const next = encoders.encode(large(), packed, new ColumnBudget());
    setTimeout(() => abort.abort(), 50);
    expect((await next).encoded.ingested).toBe(1);
    await given;
  });
});

describe('threads that end', () => {
  /** Each field takes memory of the thread. */
  const fields = lines(100, (n) => Object.fromEntries(Array.from({ length: 1000 }, (_, k) => [`f${n}.${k}`, k])));
  const demandingBody = (): Uint8Array => bytes(fields);

  test('one that runs out of memory takes only its own body with it', async () => {
    const encoders = encodersOf({ ingestThreads: 2, heapMegabytes: 16 });
    const small = () => encoders.encode(bytes('{"a":1}\n'.repeat(50)), options, new ColumnBudget());
    const outcomes = await Promise.all([
      small().then(({ encoded }) => encoded.ingested),
      codeOf(encoders.encode(demandingBody(), options, new ColumnBudget())),
      small().then(({ encoded }) => encoded.ingested),
      small().then(({ encoded }) => encoded.ingested),
    ]);
    expect(outcomes).toEqual([50, 'out-of-memory', 50, 50]);
    expect((await small()).encoded.ingested).toBe(50);
    expect(encoders.usageOf('').all).toBe(0);
  });

  test('a thread that cannot start leaves its body to the others, or fails it if there are none', async () => {
    let room = true;
    const encoders = new Encoders({
      ingestThreads: 2,
      idleMilliseconds: 1,
      get heapMegabytes() {
        // Creating a thread throws if the system rejects it.
        if (!room) throw new Error('EAGAIN');
        return 256;
      },
    });
    open.push(encoders);
    const encode = () =>
      encoders
        .encode(bytes('{"a":1}\n'.repeat(50)), options, new ColumnBudget())
        .then(({ encoded }) => encoded.ingested, String);
    const first = encode();
    room = false;
    expect(await Promise.all([first, encode(), encode(), encode()])).toEqual([50, 50, 50, 50]);
    await expect.poll(() => encoders.threads).toBe(0);
    expect(await Promise.all([encode(), encode()])).toEqual(['Error: EAGAIN', 'Error: EAGAIN']);
    room = true;
    expect([await encode(), encoders.usageOf('').all]).toEqual([50, 0]);
  });

  test('a budget that fails ends neither the thread nor the others', async () => {
    const encoders = encodersOf({ ingestThreads: 1 });
    const broken = steppedPlacement({
      place: () => {
        throw new Error('no columns');
      },
    });
    expect(await codeOf(encoders.encode(bytes('{"a":1}'), options, broken))).toBe('Error: no columns');
    expect((await encoders.encode(bytes('{"a":1}'), options, new ColumnBudget())).encoded.ingested).toBe(1);
  });

  test('closing rejects running, waiting and later tasks', async () => {
    const encoders = encodersOf({ ingestThreads: 1 });
    const running = Array.from({ length: 3 }, () =>
      codeOf(encoders.encode(demandingBody(), options, new ColumnBudget())),
    );
    await encoders.close();
    expect(await Promise.all(running)).toEqual(['shutting-down', 'shutting-down', 'shutting-down']);
    expect(await codeOf(encoders.encode(bytes('{}'), options, new ColumnBudget()))).toBe('shutting-down');
    expect(encoders.usageOf('').all).toBe(0);
  });
});
