import { expect } from 'vitest';
import { pack } from '../../bytes/pack.js';
import type { EventCase } from '../../testing/event-cases.js';

export const honeycombCases: readonly EventCase[] = [
  {
    what: 'Honeycomb: the members of data are the fields, and each event has its status',
    path: '/1/batch/{dataset}',
    body: JSON.stringify([
      { time: '2026-09-21T14:13:20.5Z', samplerate: 2, data: { a: 1, 'b.c': 'x' } },
      { samplerate: '4', data: { a: 2 } },
      { time: 'soon' },
      7,
    ]),
    answer: {
      status: 200,
      text: '[{"status":202},{"status":202},{"status":400,"error":"the event has no data"},{"status":400,"error":"the event is not an object"}]',
    },
    events: [
      { _time: '2026-09-21T14:13:20.5Z', a: 1, 'b.c': 'x', sampleRate: 2 },
      { a: 2, sampleRate: 4 },
    ],
  },
  {
    what: 'Honeycomb: an empty batch is refused, by which a health check knows the server',
    path: '/1/batch/{dataset}',
    body: '[]',
    answer: { status: 400, text: '{"error":"the batch is empty"}' },
    events: [],
  },
  {
    what: 'Honeycomb: a second list behind the first is refused, not lost',
    path: '/1/batch/{dataset}',
    body: '[{"data":{"a":1}}][{"data":{"a":2}}]',
    answer: { status: 400, text: '{"error":"the body is not a list of events"}' },
    events: [],
  },
  {
    what: 'Honeycomb: a single event',
    path: '/1/events/{dataset}',
    headers: { 'x-honeycomb-event-time': '2026-09-21T14:13:20Z', 'x-honeycomb-samplerate': '4' },
    body: '{"a":1}',
    answer: { status: 200, text: '' },
    events: [{ _time: '2026-09-21T14:13:20Z', a: 1, sampleRate: 4 }],
  },
  {
    what: 'Honeycomb: a batch in MessagePack',
    path: '/honeycomb/v1/batch/{dataset}',
    headers: { 'content-type': 'application/msgpack' },
    body: pack([{ time: '2026-09-21T14:13:20.5Z', samplerate: 2, data: { a: 1, b: [1.5, null] } }, { data: 1 }, 7]),
    answer: {
      status: 200,
      text: '[{"status":202},{"status":400,"error":"the event has no data"},{"status":400,"error":"the event is not a map"}]',
    },
    events: [{ _time: '2026-09-21T14:13:20.5Z', a: 1, b: [1.5, null], sampleRate: 2 }],
  },
  {
    what: 'Honeycomb: a single event in MessagePack',
    path: '/1/events/{dataset}',
    headers: { 'content-type': 'application/msgpack' },
    body: pack({ a: 'x' }),
    answer: { status: 200, text: '' },
    events: [{ a: 'x' }],
  },
  {
    what: 'Honeycomb: MessagePack that is cut off',
    path: '/1/batch/{dataset}',
    headers: { 'content-type': 'application/msgpack' },
    body: Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff, 0x80]),
    answer: { status: 400, text: expect.stringContaining('not valid MessagePack: byte 6: the value is cut off') },
    events: [],
  },
];
