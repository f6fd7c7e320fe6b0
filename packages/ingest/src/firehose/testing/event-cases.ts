import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { delivery } from '../../testing/bodies.js';
import type { EventCase } from '../../testing/event-cases.js';

const path = '/v1/ingest/{dataset}/firehose';
const expectedAnswer = (requestId: string) => ({
  status: 200,
  text: expect.stringMatching(new RegExp(`^\\{"requestId":"${requestId}","timestamp":\\d+\\}$`)),
});
const message = (messageType: string): string =>
  JSON.stringify({
    messageType,
    owner: '123',
    logGroup: '/aws/lambda/x',
    logStream: 's',
    subscriptionFilters: ['f'],
    logEvents: [
      { id: '1', timestamp: 1_790_000_000_000, message: 'START' },
      { id: '2', timestamp: 1_790_000_000_001, message: 'END\n' },
    ],
  });
const cloudWatch = (messageType: string) => gzipSync(message(messageType));
const common = { logGroup: '/aws/lambda/x', logStream: 's', owner: '123', subscriptionFilters: ['f'] };

export const firehoseCases: readonly EventCase[] = [
  {
    what: 'Firehose: messages of CloudWatch become their log events, control messages none',
    path,
    headers: {
      'x-amz-firehose-request-id': 'abc',
      'x-amz-firehose-common-attributes': '{"commonAttributes":{"stage":"prod"}}',
    },
    body: delivery([cloudWatch('DATA_MESSAGE'), cloudWatch('CONTROL_MESSAGE')]),
    answer: expectedAnswer('abc'),
    events: [
      { _time: '2026-09-21T14:13:20Z', ...common, id: '1', message: 'START', stage: 'prod' },
      { _time: '2026-09-21T14:13:20.001Z', ...common, id: '2', message: 'END\n', stage: 'prod' },
    ],
  },
  {
    what: 'Firehose: objects, one behind the other and in lines, and lines of text',
    path,
    body: delivery([
      '{"_time":1790000000,"a":1}{"_time":1790000001,"a":2}\n{"_time":1790000002,\n"a":3}',
      Buffer.from('text\n'),
    ]),
    answer: expectedAnswer(''),
    events: [{ a: 1 }, { a: 2 }, { a: 3 }, { message: 'text' }],
  },
  {
    what: 'Firehose: several messages of CloudWatch, objects and text in one record',
    path,
    body: delivery([
      gzipSync(
        `${message('DATA_MESSAGE')}${message('CONTROL_MESSAGE')}${message('DATA_MESSAGE')}\n{"a":1}\nplain\n{"a":2}`,
      ),
    ]),
    answer: expectedAnswer(''),
    events: [
      ...[1, 2].map(() => ({ _time: '2026-09-21T14:13:20Z', ...common, id: '1', message: 'START' })),
      ...[1, 2].map(() => ({ _time: '2026-09-21T14:13:20.001Z', ...common, id: '2', message: 'END\n' })),
      { a: 1 },
      { message: 'plain' },
      { a: 2 },
    ],
  },
  {
    what: 'Firehose: the objects of lists are events, text in brackets is text',
    path,
    body: delivery([
      '[{"a":1},\n {"a":2}]',
      gzipSync(`[${message('DATA_MESSAGE')}][{"a":3}]\n[{"a":4}]\n`),
      '[info] started\n[{level}] stopped\n[1,2]\n[]',
    ]),
    answer: expectedAnswer(''),
    events: [
      { _time: '2026-09-21T14:13:20Z', ...common, id: '1', message: 'START' },
      { _time: '2026-09-21T14:13:20.001Z', ...common, id: '2', message: 'END\n' },
      ...[1, 2, 3, 4].map((a) => ({ a })),
      ...['[info] started', '[{level}] stopped', '[1,2]', '[]'].map((text) => ({ message: text })),
    ],
  },
  {
    what: 'Firehose: a list that breaks off has its good elements once',
    path,
    body: delivery(['[{"a":1},\n{"a":2},\n7,\n{"a":3}\n{"a":4}\n{"a":5}']),
    answer: expectedAnswer(''),
    events: [1, 2, 3, 4, 5].map((a) => ({ a })),
  },
  {
    what: 'Firehose: a repeated list of log events is read as well',
    path,
    body: delivery(['{"messageType":"DATA_MESSAGE","logEvents":[{"message":"one"}],"logEvents":[{"message":"two"}]}']),
    answer: expectedAnswer(''),
    events: [{ message: 'one' }, { message: 'two' }],
  },
  {
    what: 'Firehose: a broken log event fails and is not half stored',
    path,
    body: delivery(['{"messageType":"DATA_MESSAGE","logEvents":[{"message":"good"},{"message":"half",id}]}']),
    answer: expectedAnswer(''),
    events: [{ message: 'good' }],
  },
  {
    what: 'Firehose: a second delivery behind the first is refused, not lost',
    path,
    body: '{"records":[]}{"records":[]}',
    answer: { status: 400, text: expect.stringContaining('byte 14: something follows the delivery') },
    events: [],
  },
  {
    what: 'Firehose: data that is not base64 as a whole fails',
    path,
    body: '{"records":[{"data":"eyJhIjoxfQ==eyJhIjoxfQ=="}]}',
    answer: { status: 400, text: expect.stringContaining('record 0 has no data in base64') },
    events: [],
  },
  {
    what: 'Firehose: records that cannot be read fail alone',
    path,
    body: JSON.stringify({
      records: [
        {},
        { data: gzipSync('x').subarray(0, 12).toString('base64') },
        { data: Buffer.from('{"a":1}').toString('base64') },
      ],
    }),
    answer: expectedAnswer(''),
    events: [{ a: 1 }],
  },
  { what: 'Firehose: a test of the connection', path, body: delivery([]), answer: expectedAnswer(''), events: [] },
  {
    what: 'Firehose: nothing that can be read',
    path,
    headers: { 'x-amz-firehose-request-id': 'abc' },
    body: '[]',
    answer: {
      status: 400,
      text: expect.stringMatching(
        /^\{"requestId":"abc","timestamp":\d+,"errorMessage":"the body is not a delivery with a list of records"\}$/,
      ),
    },
    events: [],
  },
  {
    what: 'Firehose: a metric stream in protobuf is refused',
    path: '/v1/ingest/{dataset}/firehose',
    body: JSON.stringify({ records: [{ data: Buffer.from([5, 0x0a, 0xff, 0x80, 1]).toString('base64') }] }),
    answer: { status: 400, text: expect.stringContaining('metric streams are not read') },
    events: [],
  },
];
