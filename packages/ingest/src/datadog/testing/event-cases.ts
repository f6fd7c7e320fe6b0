import { expect } from 'vitest';
import type { EventCase } from '../../testing/event-cases.js';

const acceptedAnswer = { status: 202, text: '{}' };

export const datadogCases: readonly EventCase[] = [
  {
    what: 'Datadog: two lists, one behind the other',
    path: '/api/v2/logs?dataset={dataset}',
    body: '[{"message":"a"}][{"message":"b"}]{"message":"c"}',
    answer: { status: 202, text: '{}' },
    events: [{ message: 'a' }, { message: 'b' }, { message: 'c' }],
  },
  {
    what: 'Datadog: lines of plain text',
    path: '/api/v2/logs?dataset={dataset}&service=web',
    headers: { 'content-type': 'text/plain' },
    body: 'first\nsecond\n',
    answer: { status: 202, text: '{}' },
    events: [
      { message: 'first', service: 'web' },
      { message: 'second', service: 'web' },
    ],
  },
  {
    what: 'Datadog: the time is the time, and tags are an object',
    path: '/api/v2/logs?dataset={dataset}&service=web&ddsource=nginx',
    body: JSON.stringify([
      {
        message: 'a',
        status: 'info',
        timestamp: 1_790_000_000_000,
        ddtags: 'env:prod,team:a,team:b,canary,url:http://x',
      },
      { message: { lambda: { id: 1 } }, timestamp: 1_790_000_001_000, service: 'own' },
    ]),
    answer: acceptedAnswer,
    events: [
      {
        _time: '2026-09-21T14:13:20Z',
        message: 'a',
        status: 'info',
        service: 'web',
        ddsource: 'nginx',
        'tags.env': 'prod',
        'tags.team': ['a', 'b'],
        'tags.canary': true,
        'tags.url': 'http://x',
      },
      { _time: '2026-09-21T14:13:21Z', 'message.lambda.id': 1, service: 'own', ddsource: 'nginx' },
    ],
  },
  {
    what: 'Datadog: one entry, and the only dataset of the token',
    path: '/v1/input',
    body: '{"message":"a"}',
    answer: acceptedAnswer,
    events: [{ message: 'a' }],
  },
  { what: 'Datadog: keep-alive', path: '/api/v2/logs', body: '{}', answer: acceptedAnswer, events: [] },
  { what: 'Datadog: nothing', path: '/api/v2/logs', body: '', answer: acceptedAnswer, events: [] },
  {
    what: 'Datadog: a body that is no entry',
    path: '/api/v2/logs',
    body: '"x"',
    answer: { status: 400, text: expect.stringContaining('neither a list of entries nor an entry') },
    events: [],
  },
];
