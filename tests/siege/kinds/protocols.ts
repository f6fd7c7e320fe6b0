import { createSocket } from 'node:dgram';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Attack, attackedDataset, type Kind, mayIngest } from '../attack.js';
import { repeatedInGzip } from '../gzip.js';
import { sendRepeatedly } from '../lines.js';

const million = 1_000_000;

type Bytes = Uint8Array<ArrayBuffer>;

const text = (value: string): Bytes => new Uint8Array(Buffer.from(value));
const joinBytes = (...parts: readonly Uint8Array[]): Bytes => new Uint8Array(Buffer.concat(parts));

/** Where bodies for a protocol go, and with which headers. */
const doors = {
  hec: ['/services/collector/event'],
  bulk: [`/v1/ingest/${attackedDataset}/elastic/_bulk`],
  'bulk by index': ['/elastic/_bulk'],
  loki: [`/v1/ingest/${attackedDataset}/loki/api/v1/push`, 'application/x-protobuf'],
  'loki in JSON': [`/v1/ingest/${attackedDataset}/loki/api/v1/push`, 'application/json'],
  'loki by label': ['/loki/api/v1/push', 'application/json'],
  firehose: [`/v1/ingest/${attackedDataset}/firehose`],
  heroku: [`/v1/ingest/${attackedDataset}/heroku`, 'application/logplex-1'],
  datadog: ['/api/v2/logs'],
  vercel: [`/v1/ingest/${attackedDataset}/vercel?fields=axiom`],
  journald: [`/v1/ingest/${attackedDataset}/journald/upload`, 'application/vnd.fdo.journal'],
  honeycomb: [`/1/batch/${attackedDataset}`, 'application/msgpack'],
  webhook: [`/v1/in/-/${attackedDataset}`],
  sentry: [`/v1/ingest/${attackedDataset}/sentry/api/1/envelope`, 'application/x-sentry-envelope'],
  cloudevents: [`/v1/ingest/${attackedDataset}/cloudevents`, 'application/cloudevents-batch+json'],
  alertmanager: [`/v1/ingest/${attackedDataset}/alertmanager`],
  // The dataset is one of events: these two reach the checks before a body is parsed.
  'otlp metrics': ['/v1/metrics', 'application/x-protobuf'],
  'remote write': [`/v1/ingest/${attackedDataset}/prometheus`, 'application/x-protobuf'],
} as const satisfies Record<string, readonly [path: string, type?: string]>;
type Door = keyof typeof doors;

/** Sends a body, plain or gzipped, from several clients. */
const sendBody = (door: Door, clients: number, name: string, body: () => Bytes): Attack => {
  const [path, type = 'application/json'] = doors[door];
  return sendRepeatedly(clients, `${door}: ${name}`, mayIngest, () => {
    const bytes = body();
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return { path, body: bytes, headers: { 'content-type': type, ...(isPacked && { 'content-encoding': 'gzip' }) } };
  });
};

/** Bodies that never end, in chunks as small as can be or as large as fit. */
const endless = (door: Door, connections: number, start: string, piece: Bytes): Attack => ({
  name: `${door}: ${connections} bodies of ${piece.length} bytes a chunk, without end`,
  rights: mayIngest,
  run: async (attacker) => {
    const [path, type = 'application/json'] = doors[door];
    const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${attacker.token}\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`;
    const chunk = (bytes: Uint8Array) => joinBytes(text(`${bytes.length.toString(16)}\r\n`), bytes, text('\r\n'));
    await Promise.all(
      Array.from({ length: connections }, () =>
        attacker.pour(undefined, joinBytes(text(head), chunk(text(start))), chunk(piece)),
      ),
    );
  },
});

type RawSocket = 'syslog' | 'fluentd' | 'gelf';

/** Sends bytes to a raw socket repeatedly. */
const pourBytes = (socket: RawSocket, connections: number, name: string, piece: () => Bytes): Attack => ({
  name: `${socket}: ${name}, from ${connections} connections`,
  rights: mayIngest,
  run: async (attacker) => {
    const bytes = piece();
    const port = attacker.ports[socket];
    await Promise.all(Array.from({ length: connections }, () => attacker.pour(port, text(''), bytes)));
  },
});

/** Connections to a raw socket that send a prefix and then nothing. */
const halfOpen = (socket: RawSocket, connections: number, beginning: Bytes): Attack => ({
  name: `${socket}: ${connections} connections with ${beginning.length} bytes each`,
  rights: mayIngest,
  run: async (attacker) => {
    for (let i = 0; i < connections && !attacker.signal.aborted; i++)
      attacker.connect(attacker.ports[socket]).write(beginning);
    await attacker.wait();
  },
});

/** Sends GELF datagrams, one after the other, until the time is up. */
const gelfDatagrams = (name: string, datagrams: () => readonly Uint8Array[]): Attack => ({
  name: `gelf: datagrams: ${name}`,
  rights: mayIngest,
  run: async (attacker) => {
    const all = datagrams();
    const socket = createSocket('udp4');
    socket.on('error', () => attacker.count('could not be sent'));
    for (let n = 0; !attacker.signal.aborted; n++) {
      await new Promise<void>((resolve) => {
        socket.send(all[n % all.length]!, attacker.ports.gelf, '127.0.0.1', () => resolve());
      });
      // Datagrams are sent within the same turn, in which no timer ends the attack.
      await nextTurn();
    }
    socket.close();
  },
});

/** The first of 128 chunks, of a message of its own. */
const gelfChunk = (n: number): Uint8Array => {
  const id = Buffer.alloc(8);
  id.writeUInt32BE(n);
  return joinBytes(Uint8Array.from([0x1e, 0x0f]), id, Uint8Array.from([0, 128]), new Uint8Array(1400));
};

/** A block of Snappy that is a byte, repeated. */
function repeatedInSnappy(bytes: number): Bytes {
  const length: number[] = [];
  for (let rest = bytes; rest > 0; rest >>>= 7) length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
  return joinBytes(
    Uint8Array.from([...length, 0, 0x78]),
    Buffer.from('fe0100'.repeat(Math.floor((bytes - 1) / 64)), 'hex'),
  );
}

const labels = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`l${i}`, 'v'])));
const lokiLines = (stream: string, lines: number): Bytes =>
  text(
    `{"streams":[{"stream":${stream},"values":[${'["1790000000000000000","x"],'.repeat(lines - 1)}["1790000000000000000","x"]]}]}`,
  );

/** Firehose records that each decompress to this many bytes. */
const records = (count: number, bytes: number): Bytes => {
  const record = `{"data":"${gzipSync('x'.repeat(bytes)).toString('base64')}"}`;
  return text(`{"requestId":"r","records":[${Array.from({ length: count }, () => record).join(',')}]}`);
};

/** Packed entries of the forward protocol, whose sender waits for an acknowledgment. */
const forwardBomb = (bytes: number): Bytes => {
  const packed = repeatedInGzip('', '\x92\x00\x81\xa1a\xa1b', bytes);
  const head = Buffer.from([0x93, 0xa1, 0x78, 0xc6, 0, 0, 0, 0]);
  head.writeUInt32BE(packed.length, 4);
  return joinBytes(head, packed, Buffer.from('82aa636f6d70726573736564a4677a6970a56368756e6ba163', 'hex'));
};

/** Bodies made of a prefix and a repeated unit. */
const repeats: readonly (readonly [door: Door, before: string, unit: string])[] = [
  ['hec', '', '{"event":{"a":"b\n'],
  ['hec', '{"event":', '['],
  ['hec', '', '{"event":"x","index":"attacked"}'],
  ['hec', '{"index":', '{"a":'],
  ['bulk', '', '{"create":{}}\n'],
  ['bulk', '', '{"delete":{"_id":"x"}}\n'],
  ['bulk', '', '{"create":{}}\n{"a":1}\n'],
  ['bulk by index', '', '\n'],
  ['bulk by index', '', ' '],
  ['loki in JSON', '{"streams":[', '{"stream":{"a":"b"},"values":[]},'],
  ['loki by label', '{"streams":[', '{"stream":{"_axiom_dataset_key":"attacked"},"values":[["1","x"]]},'],
  ['heroku', '', '9999999 <'],
  ['heroku', '', '1 x'],
  ['datadog', '[{"message":"x","ddtags":"', 'a:b,'],
  ['datadog', '[', '{"message":{"a":[{}]}},'],
  ['vercel', '[', '{"message":"x","proxy":{"path":"y"}},'],
  ['vercel', '', '{"proxy":{"a":"b\n'],
  ['journald', '', 'A=\n'],
  ['journald', '', '\n'],
  ['honeycomb', '\xdd\xff\xff\xff\xff', '\x81\xa4data\x81\xa1a\x01'],
  ['honeycomb', '', '\x91'],
  ['webhook', '', '{}\n'],
  ['sentry', '{}\n', '{"type":"log","length":0}\n'],
  ['sentry', '{}\n{"type":"log"}\n{"items":[', '{},'],
  ['cloudevents', '[', '{"id":"1","source":"s","type":"t","specversion":"1.0","data":{"a":[{}]}},'],
  ['alertmanager', '{"version":"4","alerts":[', '{"status":"firing","labels":{"a":"b"}},'],
  ['alertmanager', '{"version":"4","commonLabels":{"a":"b"', ',"a":"b"'],
  ['otlp metrics', '', '\x0a\x00'],
];

/**
 * The protocols of other products, with a token that may only ingest, and their raw sockets, which
 * need no token.
 */
export const protocols: Kind = {
  attacks: [
    endless('journald', 30, 'MESSAGE=', new Uint8Array(65_536).fill(0x78)),
    endless('journald', 20, '', text('A=\n'.repeat(20_000))),
    endless('bulk', 50, '', text('\n')),
    sendBody('journald', 8, '250 MB of fields in gzip', () => repeatedInGzip('', 'A=\n', 250 * million)),
    sendBody('bulk by index', 8, '60 MB of line feeds in 64 kB', () => repeatedInGzip('', '\n', 60 * million)),
    sendBody('hec', 8, '250 MB of open envelopes', () => repeatedInGzip('', '{"event":{"a":"b\n', 250 * million)),
    sendBody('bulk', 4, '250 MB of deletions', () => repeatedInGzip('', '{"delete":{"_id":"x"}}\n', 250 * million)),
    sendBody('bulk by index', 4, 'fifty indices', () =>
      repeatedInGzip(
        '',
        Array.from({ length: 50 }, (_, i) => `{"create":{"_index":"i${i}"}}\n{"a":1}\n`).join(''),
        100 * million,
      ),
    ),
    sendBody('loki', 8, 'a block that announces 4 GB', () => Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0])),
    sendBody('loki', 8, '200 MB that are one byte', () => repeatedInSnappy(200 * million)),
    sendBody('loki in JSON', 4, '100,000 labels on each of 1,000 lines', () => lokiLines(labels(100_000), 1000)),
    sendBody('loki in JSON', 4, '100,000 labels on each of 200 lines', () => lokiLines(labels(100_000), 200)),
    sendBody('loki in JSON', 4, '100 million parts of an entry', () =>
      repeatedInGzip('{"streams":[{"stream":{},"values":[["1","x",{}', ',1', 200 * million, ']]}]}'),
    ),
    sendBody('loki by label', 4, '200 MB of labels', () =>
      repeatedInGzip('{"streams":[{"stream":{"a":"b"', ',"a":"b"', 200 * million, '},"values":[["1","x"]]}]}'),
    ),
    sendBody('datadog', 4, '200 MB of tags', () =>
      repeatedInGzip('[{"message":"x","ddtags":"', 'a:b,', 200 * million, '"}]'),
    ),
    sendBody('sentry', 4, 'a bomb of empty items', () =>
      repeatedInGzip('{}\n', '{"type":"log","length":0}\n', 250 * million),
    ),
    sendBody('cloudevents', 4, 'a bomb of events', () =>
      repeatedInGzip('[', '{"id":"1","source":"s","type":"t","specversion":"1.0","data":{"a":[{}]}},', 250 * million),
    ),
    sendBody('alertmanager', 4, 'a bomb of alerts', () =>
      repeatedInGzip('{"version":"4","alerts":[', '{"status":"firing","labels":{"a":"b"}},', 250 * million),
    ),
    sendBody('otlp metrics', 4, 'a bomb of resources', () => repeatedInGzip('', '\x0a\x00', 250 * million)),
    sendBody('remote write', 4, 'a bomb that is one byte', () => repeatedInSnappy(200 * million)),
    endless('sentry', 30, '{}\n{"type":"log"}\n{"items":[{"body":"bomb', new Uint8Array(65_536).fill(0x78)),
    sendBody('firehose', 4, '1,000 records that become 10 MB each', () => records(1000, 10 * million)),
    sendBody('honeycomb', 8, 'a list that announces 4,000 million', () =>
      Uint8Array.from([0xdd, 0xff, 0xff, 0xff, 0xff]),
    ),
    pourBytes('syslog', 20, 'messages of carriage returns', () => text(`60001 ${'\r'.repeat(60_000)}x`)),
    pourBytes('syslog', 20, 'nothing but NUL', () => new Uint8Array(65_536)),
    pourBytes('syslog', 20, 'lengths that lie', () => text('9999999 <13>x\n')),
    halfOpen('syslog', 1000, text('60000 <13>')),
    pourBytes('fluentd', 8, 'bombs', () => forwardBomb(200 * million)),
    pourBytes('fluentd', 20, 'lists that never end', () => new Uint8Array(65_536).fill(0x91)),
    pourBytes('gelf', 20, 'messages that never end', () => new Uint8Array(65_536).fill(0x78)),
    pourBytes('gelf', 20, 'nothing but ends of messages', () => new Uint8Array(65_536)),
    pourBytes('gelf', 8, 'messages of 60 kB in open arrays', () => text(`{"_a":${'['.repeat(60_000)}\0`)),
    halfOpen('gelf', 1000, text('{"version":"1.1","short_message":"x')),
    gelfDatagrams('bombs of 50 MB', () => [new Uint8Array(gzipSync(Buffer.alloc(50 * million, 0x20)))]),
    gelfDatagrams('first chunks of many messages', () => Array.from({ length: 10_000 }, (_, n) => gelfChunk(n))),
    halfOpen('fluentd', 1000, Uint8Array.from([0x93, 0xa1, 0x78, 0xc6, 0x01, 0xff, 0xff, 0xff])),
  ],
  relative: (random) => {
    const [door, before, unit] = random.pick(repeats);
    const clients = random.between(1, 10);
    const bytes = random.between(1, 250) * million;
    return sendBody(door, clients, `${bytes / million} MB of ${JSON.stringify(unit.slice(0, 12))} in gzip`, () =>
      repeatedInGzip(before, unit, bytes),
    );
  },
};
