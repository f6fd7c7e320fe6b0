import type { EventCase } from '../../testing/event-cases.js';

export const vercelCases: readonly EventCase[] = [
  {
    what: 'Vercel: timestamp is the time',
    path: '/v1/ingest/{dataset}/vercel?verify=abc',
    body: '[{"id":"1","message":"m","timestamp":1790000000123,"proxy":{"path":"/"}}]',
    answer: { status: 200 },
    events: [{ _time: '2026-09-21T14:13:20.123Z', id: '1', message: 'm', 'proxy.path': '/' }],
  },
];
