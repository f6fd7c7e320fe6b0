import { expect } from 'vitest';
import type { EventCase } from '../../testing/event-cases.js';

const path = '/v1/ingest/{dataset}/cloudevents';
const storedAnswer = { status: 200, text: expect.stringContaining('"ingested":1,"failed":0') };
const event = { specversion: '1.0', id: '1', source: '/orders', type: 'order.paid' };

export const cloudeventsCases: readonly EventCase[] = [
  {
    what: 'CloudEvents: an event in JSON',
    path,
    headers: { 'content-type': 'application/cloudevents+json' },
    body: JSON.stringify({ ...event, time: '2026-09-21T14:13:20Z', data: { total: 5 } }),
    answer: storedAnswer,
    events: [{ ...event, _time: '2026-09-21T14:13:20Z', 'data.total': 5 }],
  },
  {
    what: 'CloudEvents: attributes are headers',
    path,
    headers: {
      'content-type': 'application/json',
      'ce-id': '1',
      'ce-source': '/orders',
      'ce-type': 'order.paid',
      'ce-time': '2026-09-21T14:13:20Z',
      'ce-traceparent': '00-a',
    },
    body: '{"total":\n5}',
    answer: storedAnswer,
    events: [
      {
        _time: '2026-09-21T14:13:20Z',
        id: '1',
        source: '/orders',
        type: 'order.paid',
        traceparent: '00-a',
        datacontenttype: 'application/json',
        'data.total': 5,
      },
    ],
  },
  {
    what: 'CloudEvents: data that is text',
    path,
    headers: { 'content-type': 'text/plain', 'ce-id': '1', 'ce-source': '/orders' },
    body: 'paid "now"\n',
    answer: storedAnswer,
    events: [{ id: '1', source: '/orders', datacontenttype: 'text/plain', data: 'paid "now"\n' }],
  },
  {
    what: 'CloudEvents: an event without data',
    path,
    headers: { 'ce-id': '1', 'ce-source': '/orders' },
    body: '',
    answer: storedAnswer,
    events: [{ id: '1', source: '/orders' }],
  },
];
