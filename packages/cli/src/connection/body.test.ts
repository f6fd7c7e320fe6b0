import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { bodyOf } from './body.js';
import type { Client } from './client.js';

const client = { brokenOff: (error: unknown) => new Error('broken off', { cause: error }) } as unknown as Client;

/** A response in many small chunks, and a count of the chunks read. */
function answerOf(pieces: number, end: 'ends' | 'breaks') {
  const state = { read: 0, canceled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (state.read < pieces) controller.enqueue(new Uint8Array(4096).fill(state.read++ % 251));
        else if (end === 'ends') controller.close();
        else controller.error(new Error('reset'));
      },
      cancel: () => void (state.canceled = true),
    },
    { highWaterMark: 0 },
  );
  return { state, answer: new Response(body) };
}

it('joins small chunks in order and bounds the read-ahead', async () => {
  const { state, answer } = answerOf(2000, 'ends');
  let taken = 0;
  let bytes = 0;
  for await (const piece of bodyOf(client, answer)) {
    taken++;
    for (let at = 0; at < piece.byteLength; at += 4096) expect(piece[at]).toBe(((bytes + at) / 4096) % 251);
    bytes += piece.byteLength;
    await pause(20);
    expect(state.read * 4096 - bytes).toBeLessThanOrEqual(2 ** 20);
  }
  expect(bytes).toBe(2000 * 4096);
  expect(taken).toBeLessThan(20);
});

it('delivers everything before a broken connection, then the error', async () => {
  let bytes = 0;
  const all = async () => {
    for await (const piece of bodyOf(client, answerOf(100, 'breaks').answer)) bytes += piece.byteLength;
  };
  await expect(all()).rejects.toThrow('broken off');
  expect(bytes).toBe(100 * 4096);
});

it('cancels the response when the consumer stops', async () => {
  const { state, answer } = answerOf(2000, 'ends');
  for await (const _ of bodyOf(client, answer)) break;
  expect(state.canceled).toBe(true);
});

it('a signal ends a stalled response after the received chunks', async () => {
  const stop = new AbortController();
  let canceled = false;
  const halted = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(4096)),
    cancel: () => void (canceled = true),
  });
  let bytes = 0;
  const all = async () => {
    for await (const piece of bodyOf(client, new Response(halted), stop.signal)) {
      bytes += piece.byteLength;
      setImmediate(() => stop.abort());
    }
  };
  await expect(all()).rejects.toThrow('broken off');
  expect([bytes, canceled]).toEqual([4096, true]);
});
