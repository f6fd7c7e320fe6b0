import { join } from 'node:path';
import { ColumnBudget, DEFAULT_LIMITS, MAX_BODY_BYTES } from '@millrace/events';
import { encodeOtlp } from '@millrace/ingest/otlp/encode-otlp';
import { otlpBodies } from '../data/otlp.js';
import { profileOf } from '../profile.js';
import { timedOften } from '../measure-seconds.js';
import type { Context } from '../world.js';

/** Spans per request: as many as a busy exporter or the Collector sends at once. */
const spans = 2048;
/** Requests per measurement. */
const requests = 10;

/**
 * Measures converting protobuf spans to columns, against `JSON.parse` of the same spans in JSON.
 */
export async function measureOtlp({ sizes, report, say, resultsDirectory }: Context): Promise<void> {
  say('micro: OTLP');
  const { protobuf, json } = await otlpBodies(spans);
  const encode = (): void => {
    const placement = new ColumnBudget();
    for (let i = 0; i < requests; i++) {
      const { ingested } = encodeOtlp(protobuf, {
        signal: 'traces',
        contentType: 'application/x-protobuf',
        arrivalTime: 1n,
        mapFields: new Set(['attributes.custom']),
        placement,
        limits: DEFAULT_LIMITS,
        maxEventBytes: MAX_BODY_BYTES,
      });
      if (ingested !== spans) throw new Error(`${ingested} of ${spans} spans encoded`);
    }
  };
  const parse = (): void => {
    for (let i = 0; i < requests; i++) JSON.parse(json.toString());
  };
  encode();
  parse();
  const microseconds = async (work: () => void): Promise<number> =>
    ((await timedOften(work, sizes.microSeconds)) * 1e6) / (requests * spans);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let run = 0; run < Math.max(3, sizes.runs); run++) {
    ours.push(await microseconds(encode));
    theirs.push(await microseconds(parse));
  }
  report({
    suite: 'micro',
    name: 'OTLP spans, protobuf, each',
    unit: 'µs',
    better: 'lower',
    ours,
    against: [{ name: 'JSON.parse of the same in OTLP/JSON', runs: theirs }],
    profile: await profileOf(join(resultsDirectory, 'profiles', 'otlp-spans'), () =>
      timedOften(encode, sizes.microSeconds),
    ),
  });
}
