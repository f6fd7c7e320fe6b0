import { expect, test } from 'vitest';
import { httpError } from '@millrace/api/errors';
import { InflightBodies } from '@millrace/http/body/inflight-bodies';
import { completeEntries } from './journald/parse-entries.js';
import { storeStream } from './store-stream.js';

const mebibyte = 1024 * 1024;
const entry = (number: number): string => `MESSAGE=${String(number).padStart(8, '0')}${'x'.repeat(200)}\n\n`;

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const store = (
  pieces: AsyncIterable<Buffer>,
  into: (part: Buffer) => void,
  limits: Partial<Parameters<typeof storeStream>[2]> = {},
): Promise<void> =>
  storeStream(
    pieces,
    { wholeEvents: completeEntries },
    { max: 64 * mebibyte, holding: new InflightBodies().begin('a'), signal: new AbortController().signal, ...limits },
    async (part) => into(part),
  );

async function partsOf(pieces: AsyncIterable<Buffer>, max = 64 * mebibyte): Promise<readonly Buffer[]> {
  const parts: Buffer[] = [];
  await store(pieces, (part) => void parts.push(part), { max });
  return parts;
}

const stream = Buffer.from(Array.from({ length: 12_000 }, (_, i) => entry(i)).join(''));

test('parts end where events do, and at the same places however the stream comes', async () => {
  const parts = await partsOf(inPieces(stream, 65_536));
  expect(parts.length).toBeGreaterThan(2);
  expect(Buffer.concat(parts).equals(stream)).toBe(true);
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(mebibyte);
    expect(part.subarray(-2).toString()).toBe('\n\n');
  }
  for (const size of [1000, 77_777, stream.length]) {
    const others = await partsOf(inPieces(stream, size));
    expect(others.map(({ length }) => length)).toEqual(parts.map(({ length }) => length));
  }
});

test('an event longer than a part is one part, and one that is too long is refused', async () => {
  const long = Buffer.from(`MESSAGE=${'x'.repeat(3 * mebibyte)}\n\n${entry(1)}`);
  expect((await partsOf(inPieces(long, 65_536))).map(({ length }) => length)).toEqual([long.length]);
  await expect(partsOf(inPieces(long, 65_536), 2 * mebibyte)).rejects.toThrow(
    httpError('body-too-large', { limit: 2 * mebibyte }).message,
  );
});

test('flushes received data when no more arrives for a while', async () => {
  let go = (): void => undefined;
  const going = new Promise<void>((resolve) => (go = resolve));
  const parts: string[] = [];
  async function* slowBody(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${entry(1)}MESSAGE=half`);
    await going;
    yield Buffer.from(' and half\n\n');
  }
  await store(slowBody(), (part) => {
    parts.push(part.toString());
    go();
  });
  expect(parts).toEqual([entry(1), 'MESSAGE=half and half\n\n']);
});

test('a broken stream leaves its incomplete part to be sent again', async () => {
  const parts: Buffer[] = [];
  async function* breaks(): AsyncGenerator<Buffer> {
    yield Buffer.from(entry(1));
    throw new Error('the connection broke');
  }
  await expect(store(breaks(), (part) => void parts.push(part))).rejects.toThrow('the connection broke');
  expect(parts).toEqual([]);
});

test('bytes held for a stream are counted and limited', async () => {
  const arriving = new InflightBodies();
  const holding = arriving.begin('a');
  const seen: number[] = [];
  await store(inPieces(stream, 65_536), () => void seen.push(arriving.bytes), { holding });
  expect(Math.max(...seen)).toBe(mebibyte);
  expect(arriving.bytes).toBeLessThan(mebibyte);
  holding.end();
  expect(arriving.bytes).toBe(0);

  const full = httpError('ingest-behind', { pending: 1 });
  const refusing = arriving.begin('a', () => {
    throw full;
  });
  const endless = Buffer.from(`MESSAGE=${'x'.repeat(mebibyte)}`);
  await expect(store(inPieces(endless, 65_536), () => undefined, { holding: refusing })).rejects.toBe(full);
});

test('no byte of an event that is not complete is looked through twice', async () => {
  const looks: number[] = [];
  const fields = Buffer.from('A=1\n'.repeat(mebibyte));
  const wholeEvents = (bytes: Buffer, from: number) => {
    looks.push(bytes.length - from);
    return completeEntries(bytes, from);
  };
  const limits = { max: 8 * mebibyte, holding: new InflightBodies().begin('a'), signal: new AbortController().signal };
  await storeStream(inPieces(fields, 65_536), { wholeEvents }, limits, async () => undefined);
  expect(looks).toEqual([mebibyte, mebibyte, mebibyte, mebibyte]);
});

test('stops reading a stream whose sender disconnected', async () => {
  const sender = new AbortController();
  const parts: number[] = [];
  const stored = store(
    inPieces(stream, 65_536),
    (part) => {
      parts.push(part.length);
      sender.abort();
    },
    { signal: sender.signal },
  );
  await expect(stored).rejects.toThrow('the client disconnected');
  expect(parts).toHaveLength(1);
});
