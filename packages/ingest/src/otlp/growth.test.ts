import { ColumnBudget, DEFAULT_LIMITS, type ColumnPlacement } from '@millrace/events';
import { describe, expect, test } from 'vitest';
import type { StoredDataset } from '@millrace/storage/fields/dataset';
import type { Storage } from '@millrace/storage/storage';
import { type BodyOptions, encodeBody } from '../encode-body.js';
import { IdempotentRequests } from '../idempotency.js';
import { ingest } from '../ingest.js';
import type { EventSignal } from './signal.js';
import { arrival, attribute, bodyOf, type Format, formats } from './testing/test-requests.js';

/** Where a small request is encoded: its expanded size decides, not its size as sent. */

async function ingestRecords(format: Format, signal: EventSignal, { resourceBytes, records }: Shape, limit = 64 << 20) {
  const inThreads: number[] = [];
  const stored: number[] = [];
  const body = bodyOf(signal, format, requestOf(signal, { resourceBytes, records }));
  const storage = {
    pendingBytes: 0,
    intake: {
      append: async (_: unknown, { ingested }: { ingested: number }) => (stored.push(ingested), { position: 1n }),
    },
  } as unknown as Storage;
  const deps = {
    storage,
    encoders: {
      usageOf: () => ({ all: 0, own: 0 }),
      encode: async (sent: Uint8Array, how: BodyOptions, placement: ColumnPlacement) => {
        inThreads.push(sent.byteLength);
        return encodeBody(sent, how, placement);
      },
    },
    limits: { ...DEFAULT_LIMITS, maxDecompressedBytes: limit },
    arrivalClock: () => arrival,
    repeated: new IdempotentRequests(),
  };
  const dataset = {
    name: 'otel',
    stored: { id: 1, fields: { size: 0, has: () => false }, placement: new ColumnBudget() } as unknown as StoredDataset,
    mapFields: new Set<string>(),
  };
  const request = { dataset, body, formats: [`otlp-${signal}` as const], options: { contentType: format } };
  const { status } = await ingest(request, deps);
  return { bytes: body.byteLength, inThreads: inThreads.length, stored, ingested: status.ingested };
}

interface Shape {
  readonly resourceBytes: number;
  readonly records: number;
}

function requestOf(signal: EventSignal, { resourceBytes, records }: Shape): object {
  const resource = { attributes: [attribute('text', { stringValue: 'x'.repeat(resourceBytes) })] };
  const all = Array.from({ length: records }, () => ({}));
  return signal === 'logs'
    ? { resourceLogs: [{ resource, scopeLogs: [{ logRecords: all }] }] }
    : { resourceSpans: [{ resource, scopeSpans: [{ spans: all }] }] };
}

describe.each(formats)('%s', (format) => {
  test.each(['logs', 'traces'] as const)(
    'a small body of %s that becomes a large one is encoded in a thread',
    async (signal) => {
      const grown = await ingestRecords(format, signal, { resourceBytes: 8000, records: 2000 });
      expect(grown.bytes).toBeLessThan(16 * 1024);
      expect(grown).toMatchObject({ inThreads: 1, stored: [2000], ingested: 2000 });
    },
  );

  test('one that stays small is encoded at once', async () => {
    expect(await ingestRecords(format, 'logs', { resourceBytes: 800, records: 100 })).toMatchObject({
      inThreads: 0,
      ingested: 100,
    });
  });

  test('the limit for what it may become is the same', async () => {
    const shape = { resourceBytes: 8000, records: 2000 };
    const tooLarge = {
      code: 'events-too-large',
      message: expect.stringContaining(`exceed ${1 << 20} bytes`) as string,
    };
    await expect(ingestRecords(format, 'logs', shape, 1 << 20)).rejects.toMatchObject(tooLarge);
  });
});
