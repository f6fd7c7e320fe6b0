import type { Body } from '../data/bodies.js';
import { bodiesOf, fileOf, linesOf } from '../data/bodies.js';
import { lokiBody } from '../data/loki.js';
import { httpLogs } from '../data/http-logs.js';
import { type Protocol, sendingOf } from '../load.js';
import type { Context, World } from '../world.js';
import { besideOf, ingestOnce, type Ours, rawBytesOf } from './ingest-once.js';
import { warmIngest } from './warm-ingest.js';

interface Variation extends Protocol {
  readonly name: string;
  readonly contentType: string;
  readonly bodies: (events: readonly string[], perBody: number) => Promise<readonly Body[]>;
  /** Minimum throughput relative to NDJSON. */
  readonly atLeast: number;
}

/** Bodies in which every event has something around it. */
const wrapEvents =
  (wrap: (event: string) => string): Variation['bodies'] =>
  (events, perBody) =>
    bodiesOf(events.map(wrap), perBody);

const json = { contentType: 'application/json', atLeast: 0.7 };

const variations: readonly Variation[] = [
  {
    ...json,
    name: 'Splunk HEC',
    path: (dataset) => `/services/collector/event?index=${dataset}`,
    bodies: wrapEvents(
      (event) => `{"time":${timeOf(event)},"host":"web-1","event":${event.replace(/"_time":"[^"]*",?/, '')}}`,
    ),
    isStored: (answer) => answer.includes('"code":0'),
  },
  {
    ...json,
    name: 'Elasticsearch bulk',
    path: (dataset) => `/v1/ingest/${dataset}/elastic/_bulk`,
    bodies: wrapEvents((event) => `{"create":{}}\n${event}`),
    isStored: (answer) => answer.includes('"errors":false'),
  },
  {
    name: 'Loki',
    contentType: 'application/x-protobuf',
    atLeast: 0.5,
    path: (dataset) => `/v1/ingest/${dataset}/loki/api/v1/push`,
    bodies: async (events, perBody) =>
      Array.from({ length: Math.ceil(events.length / perBody) }, (_, i) => {
        const part = events.slice(i * perBody, (i + 1) * perBody);
        return { bytes: lokiBody(part), events: part.length, rawBytes: Buffer.byteLength(part.join('\n')) };
      }),
    isStored: (answer) => answer === '',
  },
];

/** The time of an event, in seconds. */
const timeOf = (event: string): number => Date.parse((JSON.parse(event) as { readonly _time: string })._time) / 1000;

/** Four clients. */
const clients = 4;

/** Compares events in the protocols of other products with the same events as NDJSON, in turns. */
export async function compareProtocols(context: Context, { server }: World): Promise<void> {
  const { sizes, report, say } = context;
  const events = sizes.variationEvents;
  const perBody = Math.min(10_000, events);
  const lines = await linesOf(await fileOf(context.dataDirectory, httpLogs, events));
  const native = {
    name: 'the same as NDJSON',
    sending: sendingOf(httpLogs, await bodiesOf(lines, perBody), clients),
  };
  for (const { name, contentType, atLeast, bodies: made, ...protocol } of variations) {
    say(`ingest: ${name}`);
    const bodies = await made(lines, perBody);
    const sending = { bodies, clients, protocol, headers: { 'content-type': contentType } };
    await warmIngest(server, sending);
    await warmIngest(server, native.sending);
    const ours: Ours[] = [];
    const theirs: Ours[] = [];
    for (let run = 0; run < sizes.runs; run++) {
      ours.push(await ingestOnce(server, sending));
      theirs.push(await ingestOnce(server, native.sending));
    }
    report({
      suite: 'ingest',
      name: `${httpLogs.title}, ${name}`,
      unit: 'events/s',
      better: 'higher',
      ours: ours.map(({ seconds }) => events / seconds),
      against: [{ name: native.name, runs: theirs.map(({ seconds }) => events / seconds) }],
      goals: [{ yardstick: native.name, atLeast }],
      others: besideOf(ours, rawBytesOf(bodies), events),
    });
  }
}
