import { afterEach, expect, it, vi } from 'vitest';
import { saveStream } from './save-file.js';

afterEach(() => vi.unstubAllGlobals());

/** A browser whose dialog ends like this, and a request; both note when they happen. */
function browser(chosen: () => Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>) {
  const happened: string[] = [];
  vi.stubGlobal('showSaveFilePicker', () => {
    happened.push('dialog');
    return chosen();
  });
  const request = async (): Promise<Response> => {
    happened.push('request');
    return new Response('{"n":1}');
  };
  return { happened, request };
}

it('asks for a file before the request, while the click still permits the dialog', async () => {
  const written: string[] = [];
  const file = new WritableStream<Uint8Array>({
    write: (chunk) => void written.push(new TextDecoder().decode(chunk)),
  });
  const { happened, request } = browser(async () => ({ createWritable: async () => file }));
  const sizes: number[] = [];
  expect(await saveStream(request, 'query.ndjson', (bytes) => sizes.push(bytes))).toBe(true);
  expect([happened, written, sizes]).toEqual([['dialog', 'request'], ['{"n":1}'], [7]]);
});

it('requests nothing if no file is chosen', async () => {
  const { happened, request } = browser(() => Promise.reject(new DOMException('closed', 'AbortError')));
  expect(await saveStream(request, 'query.ndjson', () => {})).toBe(false);
  expect(happened).toEqual(['dialog']);
});
