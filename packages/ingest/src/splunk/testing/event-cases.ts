import { expect } from 'vitest';
import type { EventCase } from '../../testing/event-cases.js';

const path = '/services/collector/event';
const success = { status: 200, text: '{"text":"Success","code":0}' };
const at = '2026-09-21T14:13:20.5Z';
const seconds = 1_790_000_000.5;

export const splunkCases: readonly EventCase[] = [
  {
    what: 'HEC: a broken envelope between others on one line fails alone',
    path: '/services/collector/event?index={dataset}',
    body: '{"event":{"a":1}}{"event":}{"event":{"a":2}}',
    answer: { status: 200, text: '{"text":"Success","code":0}' },
    events: [{ a: 1 }, { a: 2 }],
  },
  {
    what: 'HEC: the event is at the top, and wins over fields and envelope',
    path,
    body: JSON.stringify({
      time: seconds,
      host: 'web-1',
      source: 'app',
      sourcetype: '_json',
      fields: { region: 'eu', level: 'x', n: 1 },
      event: { level: 'info', 'a.b': 1, deep: { c: [1, 2] } },
    }),
    answer: success,
    events: [
      {
        _time: at,
        host: 'web-1',
        source: 'app',
        sourcetype: '_json',
        region: 'eu',
        level: 'info',
        n: 1,
        'a.b': 1,
        'deep.c': [1, 2],
      },
    ],
  },
  {
    what: 'HEC: times as seconds, milliseconds and texts; what is no time stays under its name',
    path: '/services/collector',
    body: `{"time":"${seconds}","event":"a"}{"time":1790000001500,"event":"b"} {"time":"2026-09-21T14:13:22.123456789Z","event":"c"}\n\n{"time":"soon","event":"d"}`,
    answer: success,
    events: [
      { _time: at, _raw: 'a' },
      { _time: '2026-09-21T14:13:21.5Z', _raw: 'b' },
      { _time: '2026-09-21T14:13:22.123456789Z', _raw: 'c' },
      { _raw: 'd', time: 'soon' },
    ],
  },
  {
    what: 'HEC: envelopes in a list, over several lines, and events that are neither object nor text',
    path: '/services/collector/event/1.0',
    body: `[{"time":1790000000,"event":{\n"a"\n:1}},\n {"time":1790000001,"event":[1,"x"]}, {"time":1790000002,"event":7}]`,
    answer: success,
    events: [{ a: 1 }, { _raw: '[1,"x"]' }, { _raw: '7' }],
  },
  {
    what: 'HEC: a broken envelope is left out, and so is one without an event',
    path,
    body: '{"time":1790000000,"event":{"a":1}}\n{"event":{"a":[}}}\n{"host":"h"}\n{"event":""}\n{"event" 1}\n{"time":1790000001,"event":{"a":2}}',
    answer: success,
    events: [{ a: 1 }, { a: 2 }],
  },
  {
    what: 'HEC: nothing but broken envelopes',
    path,
    body: '{"event":',
    answer: {
      status: 400,
      text: '{"text":"Invalid data format","code":6,"invalid-event-number":0,"message":"event 0, byte 0: the envelope is not valid JSON"}',
    },
    events: [],
  },
  { what: 'HEC: no data', path, body: '', answer: { status: 400, text: '{"text":"No data","code":5}' }, events: [] },
  {
    what: 'HEC: lines of text, with what the URL says of them',
    path: '/services/collector/raw?host=h&sourcetype=syslog&channel=c',
    body: 'first "line"\r\n\nsecond\tline\n',
    answer: success,
    events: [
      { _raw: 'first "line"', host: 'h', sourcetype: 'syslog' },
      { _raw: 'second\tline', host: 'h', sourcetype: 'syslog' },
    ],
  },
  {
    what: 'HEC: JSON as raw data',
    path: '/services/collector/raw/1.0?source=s',
    headers: { 'content-type': 'application/json' },
    body: '{"_time":1790000000,"a":1}\n',
    answer: success,
    events: [{ a: 1, source: 's' }],
  },
  {
    what: 'HEC: acknowledgements are not needed',
    path: '/services/collector/ack',
    body: '{"acks":[0]}',
    answer: { status: 400, text: '{"text":"ACK is disabled","code":14}' },
    events: [],
  },
  ...(
    [
      ['without an event', '{"host":"h"}', 'Event field is required', 12],
      ['with an empty event', '{"event":""}', 'Event field cannot be blank', 13],
    ] as const
  ).map(([what, body, text, code]): EventCase => ({
    what: `HEC: nothing but an envelope ${what}`,
    path,
    body,
    answer: { status: 400, text: expect.stringContaining(`{"text":"${text}","code":${code},`) },
    events: [],
  })),
  {
    what: 'HEC: the time of lines is in the URL',
    path: '/services/collector/raw?time=1790000000.5',
    headers: { 'content-type': 'text/plain' },
    body: 'a line\n',
    answer: success,
    events: [{ _time: at, _raw: 'a line' }],
  },
];
