import { expect } from 'vitest';
import type { EventCase } from '../../testing/event-cases.js';

const path = '/api/7/envelope/';
const body = (...lines: readonly (object | string)[]): string =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

export const sentryCases: readonly EventCase[] = [
  {
    what: 'Sentry: an error and an attachment, which cannot be stored',
    path,
    body: body(
      { event_id: 'e1', dsn: 'http://key@host/7' },
      { type: 'event' },
      { event_id: 'e1', timestamp: 1_790_000_000.5, level: 'error', exception: { values: [{ type: 'E' }] } },
      { type: 'attachment', length: 5, filename: 'a.txt' },
      'a\n{"}',
    ),
    answer: { status: 200, text: '{}' },
    events: [
      {
        _time: '2026-09-21T14:13:20.5Z',
        project: '7',
        itemType: 'event',
        event_id: 'e1',
        level: 'error',
        'exception.values': [{ type: 'E' }],
      },
    ],
  },
  {
    what: 'Sentry: logs are an event each',
    path,
    body: body(
      {},
      { type: 'log', item_count: 2, content_type: 'application/vnd.sentry.items.log+json' },
      {
        items: [
          { timestamp: 1_790_000_000, level: 'info', body: 'a', attributes: { n: { value: 1, type: 'integer' } } },
          { timestamp: 1_790_000_001, level: 'warn', body: 'b' },
        ],
      },
    ),
    answer: { status: 200, text: '{}' },
    events: [
      { _time: '2026-09-21T14:13:20Z', project: '7', itemType: 'log', level: 'info', body: 'a', 'attributes.n': 1 },
      { _time: '2026-09-21T14:13:21Z', project: '7', itemType: 'log', level: 'warn', body: 'b' },
    ],
  },
  {
    what: 'Sentry: a single event of an older library',
    path: '/api/7/store/',
    body: '{"event_id":"e2","message":"m","timestamp":"2026-09-21T14:13:20Z"}',
    answer: { status: 200, text: '{}' },
    events: [{ _time: '2026-09-21T14:13:20Z', project: '7', itemType: 'event', event_id: 'e2', message: 'm' }],
  },
  {
    what: 'Sentry: a body that is no envelope',
    path,
    body: 'x',
    answer: { status: 400, text: expect.stringContaining('not an envelope') },
    events: [],
  },
];
