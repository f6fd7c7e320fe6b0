import { expect } from 'vitest';
import type { EventCase } from '../../testing/event-cases.js';

export const vercelCases: readonly EventCase[] = [
  {
    what: 'Vercel: timestamp is the time',
    path: '/v1/ingest/{dataset}/vercel?verify=abc',
    body: '[{"id":"1","message":"m","timestamp":1790000000123,"proxy":{"path":"/"}}]',
    answer: { status: 200 },
    events: [{ _time: '2026-09-21T14:13:20.123Z', id: '1', message: 'm', 'proxy.path': '/' }],
  },
  {
    what: 'Vercel: with the names of fields that the app of Axiom gives them',
    path: '/v1/ingest/{dataset}/vercel?fields=axiom',
    body: `${JSON.stringify({
      id: '1',
      message: 'm',
      timestamp: 1_790_000_000_123,
      source: 'lambda',
      requestId: 'r',
      level: 'error',
      proxy: { path: '/p', statusCode: 500, userAgent: ['x'], vercelId: 'v' },
      other: [1],
    })}\n{"message":}\n{"message":"n","timestamp":"soon"}`,
    answer: { status: 200, text: expect.stringContaining('"ingested":2,"failed":1') },
    events: [
      {
        _time: '2026-09-21T14:13:20.123Z',
        'vercel.id': '1',
        message: 'm',
        'vercel.source': 'lambda',
        'request.id': 'r',
        level: 'error',
        'request.path': '/p',
        'request.statusCode': 500,
        'request.userAgent': ['x'],
        'proxy.vercelId': 'v',
        other: [1],
      },
      { message: 'n', timestamp: 'soon' },
    ],
  },
  {
    what: 'Vercel: names that are not known',
    path: '/v1/ingest/{dataset}/vercel?fields=other',
    body: '{}',
    answer: { status: 400, text: expect.stringContaining('axiom or vercel') },
    events: [],
  },
];
