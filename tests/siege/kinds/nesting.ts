import type { Kind } from '../attack.js';
import { repeatedInGzip } from '../gzip.js';
import { ingest, sendPacked } from '../lines.js';

const million = 1_000_000;

/** Brackets without end: whatever remembers each of them grows with the body. */
export const nesting: Kind = {
  attacks: [
    ingest('a million [', () => '['.repeat(million)),
    sendPacked('120 million [ in gzip', () => repeatedInGzip('', '[', 120 * million)),
    sendPacked('40 million {"a": in gzip', () => repeatedInGzip('', '{"a":', 200 * million)),
  ],
  relative: (random) => {
    const unit = random.pick(['[', '{"a":', '[{"a":', '[[],', '{"a":[', '[{},']);
    const before = random.pick(['', '[', '{"x":1}\n', '[{"x":', '[{"x":1},']);
    const bytes = random.between(1, 200) * million;
    return sendPacked(`${bytes / million} MB of ${unit} after ${before}, in gzip`, () =>
      repeatedInGzip(before, unit, bytes),
    );
  },
};
