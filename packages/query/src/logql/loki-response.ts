import type { FoundLine, LogOutcome } from './run-log.js';

/** Results of log queries in the form of Loki's API. */

/** Lines of a chunk of the response: some milliseconds of work. */
const linesPerChunk = 500;

const objectOf = (labels: ReadonlyMap<string, string>): string =>
  JSON.stringify(Object.fromEntries([...labels].toSorted(([a], [b]) => (a < b ? -1 : 1))));

/**
 * The streams of the lines, in chunks.
 * @param categorized whether parsed labels stand with each line, as Grafana asks
 */
export function* streamsResponse(
  { lines, partial }: LogOutcome,
  { categorized }: { readonly categorized: boolean },
): Generator<Uint8Array> {
  const flags = categorized ? ',"encodingFlags":["categorize-labels"]' : '';
  yield Buffer.from(`{"status":"success","data":{"resultType":"streams"${flags},"result":[`);
  const streams = new Map<string, FoundLine[]>();
  for (const [i, line] of lines.entries()) {
    const key = objectOf(categorized ? line.fields : new Map([...line.fields, ...line.parsed]));
    const stream = streams.get(key);
    if (stream === undefined) streams.set(key, [line]);
    else stream.push(line);
    if (i % linesPerChunk === linesPerChunk - 1) yield Buffer.alloc(0);
  }
  let separator = '';
  for (const [labels, own] of streams) {
    yield Buffer.from(`${separator}{"stream":${labels},"values":[`);
    separator = ',';
    for (let from = 0; from < own.length; from += linesPerChunk) {
      const values = own.slice(from, from + linesPerChunk).map((line) => valueOf(line, categorized));
      yield Buffer.from(`${from === 0 ? '' : ','}${values.join()}`);
    }
    yield Buffer.from(']}');
  }
  yield Buffer.from(`],"stats":{}}${warningsOf(partial)}}`);
}

function valueOf({ time, line, parsed }: FoundLine, categorized: boolean): string {
  const more = categorized ? `,${parsed.size === 0 ? '{}' : `{"parsed":${objectOf(parsed)}}`}` : '';
  return `["${time}",${JSON.stringify(line)}${more}]`;
}

const missingDataNotice = 'recent data is missing: the server cannot store it at the moment';

export const warnings = (partial: boolean): readonly string[] => (partial ? [missingDataNotice] : []);

const warningsOf = (partial: boolean): string => (partial ? `,"warnings":${JSON.stringify([missingDataNotice])}` : '');
