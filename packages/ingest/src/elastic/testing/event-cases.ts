import { expect } from 'vitest';
import type { EventCase } from '../../testing/event-cases.js';

const path = '/v1/ingest/{dataset}/elastic/_bulk';
const createdResult = '"_version":1,"result":"created","status":201';
const bulkAnswer = (errors: boolean, ...items: readonly string[]) => ({
  status: 200,
  text: `{"took":1,"errors":${errors},"items":[${items.join(',')}]}`,
});

export const elasticCases: readonly EventCase[] = [
  {
    what: 'Elasticsearch: further members of an action line are passed over',
    path: '/v1/ingest/{dataset}/elastic/_bulk',
    body: '{"index":{},"attempts":0}\n{"message":"x"}\n',
    answer: { status: 200, text: expect.stringContaining('"errors":false') },
    events: [{ message: 'x' }],
  },
  {
    what: 'Elasticsearch: @timestamp is the time, objects are flattened, names are answered and not stored',
    path,
    body: '{"create":{"_index":"filebeat-8","_id":"a\\"b"}}\r\n{"@timestamp":"2026-09-21T14:13:20.123Z","message":"m","host":{"name":"h"}}\r\n',
    answer: bulkAnswer(false, `{"create":{"_index":"filebeat-8","_id":"a\\"b",${createdResult}}}`),
    events: [{ _time: '2026-09-21T14:13:20.123Z', message: 'm', 'host.name': 'h' }],
  },
  {
    what: 'Elasticsearch: _time is taken without @timestamp, and blank lines and a missing last one are passed over',
    path: '/v1/ingest/{dataset}/elastic/logs/_bulk?refresh=true',
    method: 'PUT',
    body: '\n{"index":{}}\n\n{"_time":1790000000,"a":1}\n\n{"index":{}}\n{"_time":1790000001,"a":2}',
    answer: bulkAnswer(false, `{"index":{${createdResult}}}`, `{"index":{${createdResult}}}`),
    events: [
      { _time: '2026-09-21T14:13:20Z', a: 1 },
      { _time: '2026-09-21T14:13:21Z', a: 2 },
    ],
  },
  {
    what: 'Elasticsearch: updates and deletions are refused one by one, and pairs stay together',
    path,
    body: '{"delete":{"_id":"1"}}\n{"update":{"_id":"2"}}\n{"doc":{"a":9}}\n{"index":{"_id":"3"}}\n{"a":1}\n{"create":{}}\n"text"\n{"create":{}}\n',
    answer: bulkAnswer(
      true,
      '{"delete":{"_id":"1","status":404,"error":{"type":"not_found","reason":"events cannot be deleted one by one"}}}',
      '{"update":{"_id":"2","status":400,"error":{"type":"illegal_argument_exception","reason":"events cannot be updated; send them with create"}}}',
      `{"index":{"_id":"3",${createdResult}}}`,
      '{"create":{"status":400,"error":{"type":"mapper_parsing_exception","reason":"the document is not one JSON object on one line"}}}',
      '{"create":{"status":400,"error":{"type":"mapper_parsing_exception","reason":"there is no document behind the action"}}}',
    ),
    events: [{ a: 1 }],
  },
  {
    what: 'Elasticsearch: two documents on a line are none, and one that goes on in the next line is not either',
    path,
    body: '{"create":{}}\n{"a":1}{"a":2}\n{"create":{}}\n{"a":[\n{"create":{}}\n{"b":1}]}\n{"create":{}}\n{"a":3}\n',
    answer: {
      status: 200,
      text: expect.stringMatching(
        /"errors":true,"items":\[\{"create":\{"status":400.+?\}\}\},\{"create":\{"status":400.+?\}\}\},\{"create":\{"status":400.+?\}\}\},\{"create":\{"_version":1,.*?"status":201\}\}\]/,
      ),
    },
    events: [{ a: 3 }],
  },
  {
    what: 'Elasticsearch: a time that is none fails its document',
    path,
    body: '{"create":{}}\n{"@timestamp":"soon","a":1}\n{"create":{}}\n{"@timestamp":"2026-09-21","a":2}\n',
    answer: { status: 200, text: expect.stringMatching(/"status":400.*"status":201/) },
    events: [{ _time: '2026-09-21T00:00:00Z', a: 2 }],
  },
  {
    what: 'Elasticsearch: after a line that should be an action, nothing is stored',
    path,
    body: '{"create":{}}\n{"a":1}\n{"a":2}\n{"create":{}}\n',
    answer: {
      status: 400,
      text: expect.stringContaining('"reason":"line 3: expected an action such as {\\"create\\":{}}'),
    },
    events: [],
  },
  {
    what: 'Elasticsearch: a single document',
    path: '/v1/ingest/{dataset}/elastic/logs/_doc',
    body: '{"a":1}',
    answer: {
      status: 201,
      text: '{"_index":"logs","_version":1,"result":"created","_shards":{"total":1,"successful":1,"failed":0}}',
    },
    events: [{ a: 1 }],
  },
];
