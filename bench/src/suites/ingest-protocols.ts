import type { Body } from '../data/bodies.js';
import { bodiesOf, fileOf, linesOf } from '../data/bodies.js';
import { httpLogs } from '../data/http-logs.js';
import { type Protocol, sendingOf } from '../load.js';
import type { Context, World } from '../world.js';
import { besideOf, ingestOnce, type Ours, rawBytesOf } from './ingest-once.js';
import { warmIngest } from './warm-ingest.js';

interface Variation extends Protocol {
  readonly name: string;
  /** An event as the protocol has it. */
  readonly wrap: (event: string) => string;
}

const variations: readonly Variation[] = [
  {
    name: 'Splunk HEC',
    path: (dataset) => `/services/collector/event?index=${dataset}`,
    wrap: (event) => `{"time":${timeOf(event)},"host":"web-1","event":${event.replace(/"_time":"[^"]*",?/, '')}}`,
    isStored: (answer) => answer.includes('"code":0'),
  },
  {
    name: 'Elasticsearch bulk',
    path: (dataset) => `/v1/ingest/${dataset}/elastic/_bulk`,
    wrap: (event) => `{"create":{}}\n${event}`,
    isStored: (answer) => answer.includes('"errors":false'),
  },
];

/** The time of an event, in seconds. */
const timeOf = (event: string): number => Date.parse((JSON.parse(event) as { readonly _time: string })._time) / 1000;

/** Four clients. */
const clients = 4;

/** Measures events in the protocols of other products beside the same events in lines of JSON, in turns. */
export async function compareProtocols(context: Context, { server }: World): Promise<void> {
  const { sizes, report, say } = context;
  const events = sizes.variationEvents;
  const perBody = Math.min(10_000, events);
  const lines = await linesOf(await fileOf(context.dataDirectory, httpLogs, events));
  const native = {
    name: 'the same as NDJSON',
    sending: sendingOf(httpLogs, await bodiesOf(lines, perBody), clients),
  };
  for (const { name, wrap, ...protocol } of variations) {
    say(`ingest: ${name}`);
    const bodies: readonly Body[] = await bodiesOf(lines.map(wrap), perBody);
    const sending = { bodies, clients, protocol, headers: { 'content-type': 'application/json' } };
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
      goals: [{ yardstick: native.name, atLeast: 0.7 }],
      beside: besideOf(ours, rawBytesOf(bodies), events),
    });
  }
}
