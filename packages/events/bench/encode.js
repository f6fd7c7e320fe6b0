/**
 * Speed of the encoder on a file of NDJSON, next to `JSON.parse` per line:
 *
 *     npm run build && node packages/events/bench/encode.js FILE [TIMESTAMP-FIELD]
 */
import { readFileSync } from 'node:fs';
import { ColumnBudget, DEFAULT_LIMITS, encodeJson } from '../dist/index.js';

const [file, timestampField = '_time'] = process.argv.slice(2);
const body = readFileSync(file);

function encode() {
  const placement = new ColumnBudget();
  const options = { arrivalTime: 0n, timestampField, mapFields: new Set(), placement, limits: DEFAULT_LIMITS };
  const { ingested, failed, block } = encodeJson(body, options);
  return `${ingested} events, ${failed} failed, ${block.columns.length} columns`;
}

function parse() {
  let lines = 0;
  for (let start = 0; start < body.length;) {
    const next = body.indexOf(10, start);
    const end = next < 0 ? body.length : next;
    if (end > start) JSON.parse(body.toString('utf8', start, end));
    lines++;
    start = end + 1;
  }
  return `${lines} lines`;
}

/** The best of ten runs, interleaved so that both have the same load of the machine. */
const best = new Map();
for (let run = 0; run < 10; run++) {
  for (const measured of [encode, parse]) {
    const start = performance.now();
    const outcome = measured();
    const milliseconds = performance.now() - start;
    if (milliseconds < (best.get(measured)?.milliseconds ?? Infinity)) best.set(measured, { milliseconds, outcome });
  }
}
for (const [measured, { milliseconds, outcome }] of best) {
  const speed = (body.length / 1000 / milliseconds).toFixed(0);
  process.stdout.write(`${measured.name}: ${speed} MB/s, ${milliseconds.toFixed(0)} ms, ${outcome}\n`);
}
