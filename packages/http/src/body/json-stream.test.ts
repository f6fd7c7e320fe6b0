import { expect, it } from 'vitest';
import { jsonInPieces } from './json-stream.js';

async function* pieces(...lists: readonly (readonly unknown[])[]) {
  yield* lists;
}

async function textOf(value: unknown): Promise<{ readonly text: string; readonly isStreamed: boolean }> {
  const answer = await jsonInPieces(value);
  if (answer.kind !== 'bytes') throw new Error(answer.kind);
  const { content } = answer;
  if (typeof content === 'string') return { text: content, isStreamed: false };
  const chunks: Uint8Array[] = [];
  if (content instanceof Uint8Array) chunks.push(content);
  else for await (const chunk of content) chunks.push(chunk);
  return { text: Buffer.concat(chunks).toString(), isStreamed: true };
}

it.each([
  ['a list', pieces([1, { a: 'ü' }], [], [null]), [1, { a: 'ü' }, null]],
  ['an empty list', pieces(), []],
  ['a list of nothing', pieces([], []), []],
  ['a member', { n: 1, none: undefined, list: pieces([1], [2]), o: {} }, { n: 1, list: [1, 2], o: {} }],
  ['in a list', [{ list: pieces([1]) }, [], 'x'], [{ list: [1] }, [], 'x']],
])('%s in pieces is the same JSON', async (_, value, whole) =>
  expect(await textOf(value)).toEqual({ text: JSON.stringify(whole), isStreamed: false }),
);

it('a long one is streamed', async () => {
  const long = Array.from({ length: 100 }, (_, i) => [`${i} ${'x'.repeat(3000)}`]);
  expect(await textOf(pieces(...long))).toEqual({ text: JSON.stringify(long.flat()), isStreamed: true });
});
