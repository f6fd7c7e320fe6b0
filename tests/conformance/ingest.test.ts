import { describe, expect, it } from 'vitest';
import { apl, send } from '../support/apl.ts';
import { request } from '../support/server-process.ts';
import { array, columns, csv, csvWithoutHeader, ndjson } from './access-log.ts';
import { gzip, gzipMembers, zstd } from './encodings.ts';
import { oneServer } from './one-server.ts';

/**
 * Ingest features that clients depend on: forms, encodings, CSV, labels, times, and the form of
 * stored events.
 */

const one = oneServer();

type Body = string | Uint8Array<ArrayBuffer>;
interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}
const json = { 'content-type': 'application/json' };
const lines = { 'content-type': 'application/x-ndjson' };
const text = { 'content-type': 'text/csv' };

const ingest = async (dataset: string, body: Body, { headers = {}, query = '' }: SendOptions = {}) =>
  request(one.server, `/v1/datasets/${dataset}/ingest${query}`, { method: 'POST', body, headers });

/** The columns of a raw query by name, without the two that the server adds. */
async function storedColumns(dataset: string): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const { tables } = await apl(one.server, `['${dataset}'] | sort by _time asc`);
  const { fields, columns: values } = tables[0]!;
  return Object.fromEntries(
    fields.map(({ name }, at) => [name, values[at]!] as const).filter(([name]) => !/^_(sysT|t)ime$/.test(name)),
  );
}

describe('the access log, sent in every way', () => {
  const label = '{"region":"eu-west-1"}';
  const fields = columns.join(',');
  const ways: readonly (readonly [string, Body, SendOptions, number])[] = [
    [
      'a label counts with the bytes of its header',
      array,
      { headers: { 'x-axiom-event-labels': label } },
      array.length + 22,
    ],
    ['gzip counts decompressed', gzip(array), { headers: { 'content-encoding': 'gzip' } }, array.length],
    ['zstd counts decompressed', zstd(array), { headers: { 'content-encoding': 'zstd' } }, array.length],
    ['NDJSON counts its last newline', ndjson, { headers: lines }, 448],
    ['NDJSON in zstd', zstd(ndjson), { headers: { ...lines, 'content-encoding': 'zstd' } }, 448],
    ['CSV with a header line, the field header empty', csv, { headers: { ...text, 'x-axiom-csv-fields': '' } }, 325],
    ['CSV with its fields in a header', csvWithoutHeader, { headers: { ...text, 'x-axiom-csv-fields': fields } }, 258],
  ];

  it('every way gives two events and the same eleven columns', async () => {
    const dataset = await one.dataset();
    for (const [way, body, sending, processedBytes] of ways) {
      const { status, body: answer } = await ingest(dataset, body, sending);
      expect(answer, way).toEqual({
        ingested: 2,
        failed: 0,
        failures: [],
        processedBytes,
        blocksCreated: expect.any(Number),
        walLength: expect.any(Number),
      });
      expect(status, way).toBe(200);
    }
    const { tables, status } = await apl(one.server, `['${dataset}']`);
    expect(status).toMatchObject({ rowsExamined: 14, rowsMatched: 14 });
    expect(tables).toHaveLength(1);
    expect(tables[0]).toMatchObject({ sources: [{ name: dataset }] });
    expect(tables[0]!.fields.map(({ name }) => name)).toEqual([
      '_sysTime',
      '_time',
      'agent',
      'bytes',
      'referrer',
      'region',
      'remote_ip',
      'remote_user',
      'request',
      'response',
      'time',
    ]);
    expect(tables[0]!.columns.map(({ length }) => length)).toEqual(Array.from({ length: 11 }, () => 14));
    const top = await apl(one.server, `['${dataset}'] | summarize topk(remote_ip, 1)`);
    expect(top.tables[0]).toMatchObject({
      fields: [{ agg: { name: 'topk', fields: ['remote_ip'], args: [1] } }],
      columns: [[[{ key: '93.180.71.1', count: 7, error: 0 }]]],
    });
  });
});

describe('forms of a body', () => {
  const a = '{"a":1}';
  const forms: readonly (readonly [string, Body, SendOptions, number])[] = [
    ['an array', `[${a},${a}]`, { headers: json }, 2],
    ['an array that says its charset', `[${a}]`, { headers: { 'content-type': 'application/json; charset=utf-8' } }, 1],
    ['one object', a, { headers: json }, 1],
    ['lines under the type of JSON', `${a}\n${a}`, { headers: json }, 2],
    ['lines without a last newline', `${a}\n${a}`, { headers: lines }, 2],
    ['lines with empty ones between', `${a}\n\n\n${a}\n`, { headers: lines }, 2],
    ['lines with carriage returns', `${a}\r\n${a}\r\n`, { headers: lines }, 2],
    ['the other name of lines', `${a}\n`, { headers: { 'content-type': 'application/nd-json' } }, 1],
    ['lines that look like bulk actions are events', `{"index":{"_id":"1"}}\n${a}\n`, { headers: lines }, 2],
    ['objects one after the other', `${a}${a}`, { headers: json }, 2],
    ['arrays one after the other', `[${a}][${a},${a}]`, { headers: json }, 3],
    [
      'a gzip file of several, each an array',
      gzipMembers(`[${a}]`, `[${a},${a}]`),
      { headers: { ...json, 'content-encoding': 'gzip' } },
      3,
    ],
    ['no encoding, as an empty header', a, { headers: { 'content-encoding': '' } }, 1],
    ['no encoding, as the text 1', a, { headers: { 'content-encoding': '1' } }, 1],
    ['no encoding, by its name', a, { headers: { 'content-encoding': 'identity' } }, 1],
    [
      'CSV options mean nothing to JSON',
      `[${a}]`,
      { query: '?csv-delimiter=;', headers: { 'x-axiom-csv-fields': 'x' } },
      1,
    ],
    ['an empty array', '[]', {}, 0],
    ['options left empty', a, { query: '?timestamp-field=&timestamp-format=&csv-delimiter=' }, 1],
  ];
  it.each(forms)('%s', async (_, body, sending, ingested) => {
    const dataset = await one.dataset();
    const { status, body: answer } = await ingest(dataset, body, sending);
    expect(answer).toMatchObject({ ingested, failed: 0, failures: [] });
    expect(status).toBe(200);
    expect((await apl(one.server, `['${dataset}'] | count`)).tables[0]!.columns).toEqual([[ingested]]);
  });

  it.each([
    ['an unknown encoding', 415, /encoding.*gzip, zstd/i, { headers: { 'content-encoding': 'snappy' } }],
    [
      'gzip that is none',
      400,
      /Content-Encoding is gzip but the body looks uncompressed/,
      { headers: { 'content-encoding': 'gzip' } },
    ],
    [
      'zstd that is none',
      400,
      /Content-Encoding is zstd but the body looks uncompressed/,
      { headers: { 'content-encoding': 'zstd' } },
    ],
    ['labels that are no object', 400, /X-Axiom-Event-Labels/, { headers: { 'x-axiom-event-labels': '[1]' } }],
    ['a layout that is none', 400, /timestamp-format/, { query: '?timestamp-format=yyyy' }],
  ] as const)('%s is refused as a whole', async (_, status, message, sending) => {
    const answer = await ingest(await one.dataset(), '{"a":1}', sending);
    expect(answer.body).toMatchObject({ code: status, message: expect.stringMatching(message) });
  });

  it('a bad event fails alone and says why', async () => {
    const { body } = await ingest(await one.dataset(), '{"a":1}\n{"a":\n{"a":3}\n', { headers: lines });
    expect(body).toMatchObject({ ingested: 2, failed: 1, failures: [{ error: expect.stringMatching(/./) }] });
  });

  it('the edge path takes the same', async () => {
    const dataset = await one.dataset();
    const { body } = await request(one.server, `/v1/ingest/${dataset}`, {
      body: gzip(ndjson),
      headers: { ...lines, 'content-encoding': 'gzip' },
    });
    expect(body).toMatchObject({ ingested: 2, processedBytes: 448 });
  });
});

describe('CSV', () => {
  const cases: readonly (readonly [string, string, SendOptions, object])[] = [
    ['every value is a string', 'a,b\n1,true\n', {}, { a: ['1'], b: ['true'] }],
    ['one column needs no delimiter', 'foo\nbar\nbaz', {}, { foo: ['bar', 'baz'] }],
    ['names are trimmed, values are not', 'user, name\nfoo, bar\n', {}, { user: ['foo'], name: [' bar'] }],
    ['another delimiter', 'a;b\n1;2,3\n', { query: '?csv-delimiter=;' }, { a: ['1'], b: ['2,3'] }],
    ['quotes hold delimiters, newlines and quotes', 'a,b\n"x,\ny","""z"""\n', {}, { a: ['x,\ny'], b: ['"z"'] }],
    [
      'names in a header make the first line data',
      'x,1\n',
      { headers: { 'x-axiom-csv-fields': 'a,b' } },
      { a: ['x'], b: ['1'] },
    ],
    ['labels are JSON beside it', 'a\n1\n', { headers: { 'x-axiom-event-labels': '{"n":7}' } }, { a: ['1'], n: [7] }],
  ];
  it.each(cases)('%s', async (_, body, { headers, query }, expected) => {
    const dataset = await one.dataset();
    const { body: answer } = await ingest(dataset, body, { headers: { ...text, ...headers }, ...(query && { query }) });
    expect(answer).toMatchObject({ failed: 0 });
    expect(await storedColumns(dataset)).toEqual(expected);
  });
});

describe('the shape events get', () => {
  const cases: readonly (readonly [string, string, object])[] = [
    [
      'objects become dotted names',
      '{"geo":{"city":"x","at":{"lat":1.5}}}',
      { 'geo.city': ['x'], 'geo.at.lat': [1.5] },
    ],
    ['a dot in a key is the same as nesting', '{"a.b":1}', { 'a.b': [1] }],
    ['arrays stay whole', '{"a":[1,"x",[2],{"b":3}]}', { a: [[1, 'x', [2], { b: 3 }]] }],

    ['null is no value', '{"a":null,"b":1}', { b: [1] }],
    ['text is not searched for numbers or dates', '{"a":"1","t":"2026-01-01"}', { a: ['1'], t: ['2026-01-01'] }],
    ['true and false', '{"a":true,"b":false}', { a: [true], b: [false] }],
    [
      'reserved names make room',
      '{"_sysTime":1,"_rowID":2,"_cursor":3}',
      { _user_sysTime: [1], _user_rowID: [2], _user_cursor: [3] },
    ],
    ['other names with an underscore stay', '{"_raw":"x"}', { _raw: ['x'] }],
    ['keys of the prototype are keys', '{"constructor":1,"toString":"x"}', { constructor: [1], toString: ['x'] }],
  ];
  it.each(cases)('%s', async (_, event, expected) => {
    const dataset = await one.dataset();
    await ingest(dataset, event);
    expect(await storedColumns(dataset)).toEqual(expected);
  });

  it('values of several types keep their types, and the field names them', async () => {
    const dataset = await one.dataset();
    await ingest(dataset, '[{"_time":1,"a":1,"n":1},{"_time":2,"a":"x","n":1.5},{"_time":3,"a":true,"n":2}]');
    const { tables } = await apl(one.server, `['${dataset}'] | sort by _time asc | project a, n`);
    expect(tables[0]).toMatchObject({
      fields: [
        { name: 'a', type: 'integer|string|boolean' },
        { name: 'n', type: 'integer|float' },
      ],
      columns: [
        [1, 'x', true],
        [1, 1.5, 2],
      ],
    });
  });

  it('empty objects are legal', async () => {
    const dataset = await one.dataset();
    expect((await ingest(dataset, '{"a":{},"b":1}')).body).toMatchObject({ ingested: 1, failed: 0 });
    expect(await storedColumns(dataset)).toMatchObject({ b: [1] });
  });

  it('labels follow the rules of JSON', async () => {
    const dataset = await one.dataset();
    const labels = '{"n":7,"on":true,"geo":{"city":"Zürich"}}';
    await ingest(dataset, '{"a":1}', { headers: { 'x-axiom-event-labels': Buffer.from(labels).toString('latin1') } });
    expect(await storedColumns(dataset)).toEqual({ a: [1], n: [7], on: [true], 'geo.city': ['Zürich'] });
  });
});

describe('time', () => {
  const instant = '2024-03-07T09:28:10Z';
  const format = (layout: string) => `?timestamp-format=${encodeURIComponent(layout)}`;
  const times: readonly (readonly [string, string, string, string])[] = [
    [
      'RFC 3339 in nanoseconds, zeros at the end dropped',
      '"2024-03-07T09:28:10.123456780Z"',
      '',
      '2024-03-07T09:28:10.12345678Z',
    ],
    ['another zone', '"2024-03-07T10:28:10+01:00"', '', instant],
    ['seconds', '1709803690', '', instant],
    ['milliseconds', '1709803690000', '', instant],
    ['microseconds', '1709803690000000', '', instant],
    ['nanoseconds', '1709803690000000001', '', '2024-03-07T09:28:10.000000001Z'],
    ['a layout with a literal zone', '"07/Mar/2024:09:28:10 +0000"', format('2/Jan/2006:15:04:05 +0000'), instant],
    ['a layout with a zone', '"07/Mar/2024:10:28:10 +0100"', format('02/Jan/2006:15:04:05 -0700'), instant],
    [
      'a layout of twelve hours',
      '"Mar  7 2024 09:28:10.500 AM"',
      format('Jan _2 2006 03:04:05.000 PM'),
      '2024-03-07T09:28:10.5Z',
    ],
  ];
  it.each(times)('%s', async (_, value, query, expected) => {
    const dataset = await one.dataset();
    const { body } = await ingest(dataset, `{"_time":${value},"a":1}`, { query });
    expect(body).toMatchObject({ ingested: 1 });
    expect((await apl(one.server, `['${dataset}'] | project _time`)).tables[0]!.columns).toEqual([[expected]]);
  });

  it('timestamp-field names the key that supplies it', async () => {
    const dataset = await one.dataset();
    await ingest(dataset, `{"at":"${instant}","a":1}`, { query: '?timestamp-field=at' });
    expect((await apl(one.server, `['${dataset}'] | project _time`)).tables[0]!.columns).toEqual([[instant]]);
  });

  it('time, timestamp and @timestamp are ordinary keys', async () => {
    const dataset = await one.dataset();
    const before = Date.now();
    await ingest(dataset, `{"time":"${instant}","timestamp":"${instant}","@timestamp":"${instant}"}`);
    const { tables } = await apl(one.server, `['${dataset}'] | project _time, ['@timestamp'], ['time'], timestamp`);
    const [times, ...others] = tables[0]!.columns;
    expect(Date.parse(times![0] as string)).toBeGreaterThanOrEqual(before - 1);
    expect(others).toEqual([[instant], [instant], [instant]]);
  });

  it('a layout without a date means the year zero, which cannot be stored', async () => {
    const { body } = await ingest(await one.dataset(), '{"_time":"09:28","a":1}', { query: format('15:04') });
    expect(body).toMatchObject({ ingested: 0, failed: 1, failures: [{ error: expect.stringMatching(/_time/) }] });
  });

  it('an event whose time cannot be read fails alone', async () => {
    const { body } = await ingest(await one.dataset(), '[{"_time":"soon","a":1},{"a":2}]');
    expect(body).toMatchObject({ ingested: 1, failed: 1, failures: [{ error: expect.stringMatching(/_time/) }] });
  });
});

describe('map fields', () => {
  it('hold objects whole while they are declared, and only then', async () => {
    const dataset = await one.dataset();
    const label = { headers: { 'x-axiom-event-labels': '{"region":"eu-west-1"}' } };
    const declare = (method: string, path: string, body?: string) =>
      request(one.server, `/v2/datasets/${dataset}/mapfields${path}`, { method, ...(body !== undefined && { body }) });
    expect((await declare('POST', '', '{"name":"foo"}')).body).toEqual({ name: 'foo' });
    await ingest(dataset, '[{"foo":{"bar":"x","bar2":"y","with.dot":1}}]', label);
    expect((await declare('DELETE', '/foo')).status).toBe(204);
    await ingest(dataset, '[{"bar":{"buz":"x","buz2":"y"}}]', label);
    const { tables } = await apl(one.server, `['${dataset}']`);
    expect(tables[0]!.fields.map(({ name }) => name)).toEqual([
      '_sysTime',
      '_time',
      'bar.buz',
      'bar.buz2',
      'foo',
      'region',
    ]);
    const read = await apl(
      one.server,
      `['${dataset}'] | where isnotnull(foo) | project a=foo['bar'], b=foo.bar2, c=foo['with.dot']`,
    );
    expect(read.tables[0]!.columns).toEqual([['x'], ['y'], [1]]);
  });
});

describe('a locked schema', () => {
  const lock = async (fields: readonly object[]): Promise<string> => {
    const dataset = await one.dataset();
    const { status } = await request(one.server, `/v2/datasets/${dataset}/schema`, {
      method: 'PUT',
      body: JSON.stringify({ fields }),
    });
    expect(status).toBe(200);
    return dataset;
  };

  it('drops what it does not allow, keeps the event, and says so once a field', async () => {
    const dataset = await lock([
      { name: 'status', types: ['integer'] },
      { name: 'share', types: ['float'] },
    ]);
    const body = '[{"status":200,"x":1,"share":1},{"status":"gone","x":2},{"status":null,"x":{"y":3}}]';
    const answer = (await ingest(dataset, body, { headers: json })).body as { readonly messages: readonly object[] };
    expect(answer).toMatchObject({ ingested: 3, failed: 0, failures: [] });
    const dropWarning = (field: string, count: number, why: string) => ({
      priority: 'warn',
      code: `schema_rules_drop:${field}`,
      count,
      msg: `field "${field}" dropped: ${why}`,
    });
    expect(new Set(answer.messages)).toEqual(
      new Set([
        dropWarning('x', 2, 'not in declared schema'),
        dropWarning('x.y', 1, 'not in declared schema'),
        dropWarning('status', 1, 'type rule violated (allowed integer, saw string)'),
      ]),
    );
    expect(await storedColumns(dataset)).toEqual({ share: [1, null, null], status: [200, null, null] });
  });

  it('has no messages when nothing was dropped: strict clients refuse the key', async () => {
    const dataset = await lock([{ name: 'status', types: ['integer'] }]);
    expect(Object.keys((await ingest(dataset, '{"status":1}', { headers: json })).body as object)).toEqual([
      'ingested',
      'failed',
      'failures',
      'processedBytes',
      'blocksCreated',
      'walLength',
    ]);
  });
});

it('64-bit integers and large numbers', async () => {
  const dataset = await one.dataset();
  await send(one.server, dataset, '{"id":9223372036854775807,"low":-9223372036854775808,"big":1e30}');
  const answer = await fetch(`${one.server.url}/v1/datasets/_apl?format=tabular`, {
    method: 'POST',
    headers: { authorization: `Bearer ${one.server.token}` },
    body: JSON.stringify({ apl: `['${dataset}'] | project id, low, big` }),
  });
  expect(await answer.text()).toContain('[[9223372036854775807],[-9223372036854775808],[1e30]]');
});
