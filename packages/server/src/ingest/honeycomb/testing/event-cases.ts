import type { EventCase } from '../../testing/event-cases.js';

export const honeycombCases: readonly EventCase[] = [
  {
    what: 'Honeycomb: the members of data are the fields, and each event has its status',
    path: '/1/batch/{dataset}',
    body: JSON.stringify([
      { time: '2026-09-21T14:13:20.5Z', samplerate: 2, data: { a: 1, 'b.c': 'x' } },
      { time: 'soon' },
      7,
    ]),
    answer: {
      status: 200,
      text: '[{"status":202},{"status":400,"error":"the event has no data"},{"status":400,"error":"the event is not an object"}]',
    },
    events: [{ _time: '2026-09-21T14:13:20.5Z', a: 1, 'b.c': 'x', sampleRate: 2 }],
  },
  {
    what: 'Honeycomb: an empty batch is refused, by which a health check knows the server',
    path: '/1/batch/{dataset}',
    body: '[]',
    answer: { status: 400, text: '{"error":"the batch is empty"}' },
    events: [],
  },
  {
    what: 'Honeycomb: a single event',
    path: '/1/events/{dataset}',
    headers: { 'x-honeycomb-event-time': '2026-09-21T14:13:20Z', 'x-honeycomb-samplerate': '4' },
    body: '{"a":1}',
    answer: { status: 200, text: '' },
    events: [{ _time: '2026-09-21T14:13:20Z', a: 1, sampleRate: '4' }],
  },
];
