import { join } from 'node:path';
import { ColumnBudget, DEFAULT_LIMITS, encodeJson, nativeBlocks } from '@millrace/events';
import { bodiesOf, eventsOf } from '../data/bodies.js';
import { shapesNamed } from '../data/shapes.js';
import { profileOf } from '../profile.js';
import { timedOften } from '../measure-seconds.js';
import type { Context } from '../world.js';

/**
 * Finds and decodes one line at a time, because slices of one long string parse at half the speed.
 */
function parseLines(body: Buffer): void {
  for (let at = 0; at < body.length;) {
    const next = body.indexOf(0x0a, at);
    const end = next < 0 ? body.length : next;
    if (end > at) JSON.parse(body.toString('utf8', at, end));
    at = end + 1;
  }
}

/** Measures the encoder against `JSON.parse`. */
export async function measureEncoder(context: Context): Promise<void> {
  const { sizes, report, say } = context;
  for (const shape of shapesNamed(sizes.shapes)) {
    say(`micro: encoder, ${shape.title}`);
    const lines = [...eventsOf(shape, Math.ceil(sizes.microEvents / 4))];
    const bodies = await bodiesOf(lines, 5000);
    const megabytes = bodies.reduce((sum, { rawBytes }) => sum + rawBytes, 0) / 1e6;
    const encode = (): void => {
      const placement = new ColumnBudget();
      for (const { bytes, events } of bodies) {
        const { block, ingested } = encodeJson(bytes, {
          arrivalTime: 1n,
          mapFields: new Set(),
          placement,
          limits: DEFAULT_LIMITS,
          ...(shape.timestampField !== undefined && { timestampField: shape.timestampField }),
        });
        if (ingested !== events) throw new Error(`${ingested} of ${events} events encoded`);
        nativeBlocks([{ block, seq: 1n, arrival: 1n }]);
      }
    };
    const parse = (): void => {
      for (const { bytes } of bodies) parseLines(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    };
    encode();
    parse();
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let run = 0; run < Math.max(3, sizes.runs); run++) {
      ours.push(megabytes / (await timedOften(encode, sizes.microSeconds)));
      theirs.push(megabytes / (await timedOften(parse, sizes.microSeconds)));
    }
    report({
      suite: 'micro',
      name: `encoder, ${shape.title}`,
      unit: 'MB/s',
      better: 'higher',
      ours,
      against: [{ name: 'JSON.parse of each line', runs: theirs }],
      profile: await profileOf(join(context.resultsDirectory, 'profiles', `encoder-${shape.name}`), () =>
        timedOften(encode, sizes.microSeconds),
      ),
    });
  }
}
