import { expect } from 'vitest';
import { lokiPush } from '../../testing/bodies.js';
import type { EventCase } from '../../testing/event-cases.js';
import { snappy } from '../../testing/snappy.js';

const path = '/v1/ingest/{dataset}/loki/api/v1/push';
const storedAnswer = { status: 204, text: '' };
const json = { 'content-type': 'application/json' };

export const lokiCases: readonly EventCase[] = [
  {
    what: 'Loki: labels and structured metadata are fields, also those of one name',
    path,
    headers: json,
    body: JSON.stringify({
      streams: [
        {
          stream: { app: 'web', env: 'prod' },
          values: [
            ['1790000000000000001', 'a "line"', { trace: 't', app: 'other' }],
            ['1790000001000000000', '{"level":"info"}'],
          ],
        },
        { stream: { app: 'db' }, values: [['1790000002000000000', 'x']] },
      ],
    }),
    answer: storedAnswer,
    events: [
      {
        _time: '2026-09-21T14:13:20.000000001Z',
        app: 'web',
        env: 'prod',
        trace: 't',
        'metadata.app': 'other',
        message: 'a "line"',
      },
      { _time: '2026-09-21T14:13:21Z', app: 'web', env: 'prod', message: '{"level":"info"}' },
      { _time: '2026-09-21T14:13:22Z', app: 'db', message: 'x' },
    ],
  },
  {
    what: 'Loki: repeated members are all read',
    path,
    headers: json,
    body: '{"streams":[{"values":[["1790000000000000001","a"]],"stream":{"app":"x"},"values":[["1790000000000000002","b"]]}],"streams":[{"stream":{},"values":[["1790000000000000003","c"]]}]}',
    answer: storedAnswer,
    events: [
      { _time: '2026-09-21T14:13:20.000000001Z', app: 'x', message: 'a' },
      { _time: '2026-09-21T14:13:20.000000002Z', app: 'x', message: 'b' },
      { _time: '2026-09-21T14:13:20.000000003Z', message: 'c' },
    ],
  },
  {
    what: 'Loki: an entry that is none fails alone, and a time that is none is kept',
    path: '/v1/ingest/{dataset}/loki/loki/api/v1/push',
    headers: json,
    body: '{"streams":[{"stream":{"a":"1"},"values":[["1790000000000000000","x"],["1790000000000000000"],7,["1790000000000000000",null],["soon","y"]]}]}',
    answer: storedAnswer,
    events: [
      { a: '1', message: 'x' },
      { a: '1', message: 'y', timestamp: 'soon' },
    ],
  },
  {
    what: 'Loki: protobuf',
    path: '/loki/api/v1/push',
    headers: { 'content-type': 'application/x-protobuf' },
    body: snappy(
      lokiPush([
        { labels: '{app="web", path="C:\\\\x"}', lines: ['first', 'sécond'], metadata: { trace: 't', app: 'other' } },
        { labels: 'broken', lines: ['third'], at: 1_790_000_010 },
      ]),
    ),
    answer: storedAnswer,
    events: [
      {
        _time: '2026-09-21T14:13:20.000000005Z',
        app: 'web',
        path: 'C:\\x',
        trace: 't',
        'metadata.app': 'other',
        message: 'first',
      },
      {
        _time: '2026-09-21T14:13:21.000000005Z',
        app: 'web',
        path: 'C:\\x',
        trace: 't',
        'metadata.app': 'other',
        message: 'sécond',
      },
      { _time: '2026-09-21T14:13:30.000000005Z', labels: 'broken', message: 'third' },
    ],
  },
  {
    what: 'Loki: labels and metadata with the names of our fields are kept apart',
    path,
    headers: json,
    body: '{"streams":[{"stream":{"message":"label","_time":"x","a":"1"},"values":[["1790000000000000000","line",{"message":"meta"}]]}]}',
    answer: storedAnswer,
    events: [
      {
        _time: '2026-09-21T14:13:20Z',
        a: '1',
        message: 'line',
        'labels.message': 'label',
        'labels._time': 'x',
        'metadata.message': 'meta',
      },
    ],
  },
  {
    what: 'Loki: labels with the names of our fields in protobuf',
    path,
    headers: { 'content-type': 'application/x-protobuf' },
    body: snappy(lokiPush([{ labels: '{message="label"}', lines: ['line'], metadata: { message: 'meta' } }])),
    answer: storedAnswer,
    events: [{ message: 'line', 'labels.message': 'label', 'metadata.message': 'meta' }],
  },
  {
    what: 'Loki: a second push behind the first is refused, not lost',
    path,
    headers: json,
    body: '{"streams":[]}{"streams":[]}',
    answer: { status: 400, text: expect.stringContaining('byte 14') },
    events: [],
  },
  {
    what: 'Loki: nothing to push',
    path,
    headers: json,
    body: '{"streams":[]}',
    answer: storedAnswer,
    events: [],
  },
  {
    what: 'Loki: bytes that are not snappy',
    path,
    headers: { 'content-type': 'application/x-protobuf' },
    body: Uint8Array.from([4, 12, 97]),
    answer: { status: 400, text: 'the body is not valid snappy: it ends early\n' },
    events: [],
  },
  {
    what: 'Loki: JSON of another form',
    path,
    headers: json,
    body: '{"streams":{}}',
    answer: { status: 400, text: expect.stringContaining('is not a push of streams in JSON') },
    events: [],
  },
];
