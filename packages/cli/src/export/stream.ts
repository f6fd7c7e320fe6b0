import { bodyOf } from '../connection/body.js';
import { ConnectionError } from '../connection/client.js';
import { withRetries } from '../connection/retry.js';
import { Failure } from '../failure.js';
import type { CollectOptions } from './collect.js';
import { boundsOf } from './bounds.js';
import { continuationOf } from './continuation.js';
import { doesNotExport } from './download.js';
import { partSink, type RowSink } from './row-sink.js';
import type { ExportState } from './state.js';

/** Bytes between fsyncs: the most that an interruption can lose. */
const durableEvery = 32 * 1024 * 1024;

/**
 * Streams the remaining rows. Events carry cursors, so an interrupted stream continues after its
 * last complete line; a result that no cursor continues starts over.
 * @returns the final state; undefined if the server does not export
 * @throws AnswerError, ConnectionError; a later call resumes from the state on disk
 */
export async function collectStream(
  begin: ExportState,
  options: CollectOptions,
  into?: RowSink,
): Promise<ExportState | undefined> {
  const { client, output, signal, progress } = options;
  let continues = continuationOf(begin.apl) !== undefined;
  const sink = into ?? (await partSink(output));
  const { columns: _, ...streamed } = begin;
  let state: ExportState = streamed;

  const fetchRest = async (): Promise<void> => {
    if (!continues) state = { ...state, bytes: 0, rows: 0 };
    // Truncates what a crash or a cut line left after the state; it is fetched again.
    await sink.truncate(state.bytes);
    let durable = state.bytes;
    const keep = async (): Promise<void> => {
      await sink.keep(continues && state.rows > 0 ? state : undefined);
      durable = state.bytes;
    };
    const answer = await client.send('export', { body: requestOf(state, continues), signal });
    let rest: Buffer = Buffer.alloc(0);
    try {
      for await (const chunk of bodyOf(client, answer, signal)) {
        const text =
          rest.length === 0
            ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
            : Buffer.concat([rest, chunk]);
        const whole = text.lastIndexOf(lineFeed) + 1;
        rest = text.subarray(whole);
        if (whole === 0) continue;
        // A view or a table from `let` may return rows that are not events; the query does not show
        // it.
        if (state.rows === 0) continues &&= firstHasCursor(text);
        const lines = linesOf(text.subarray(0, whole), continues);
        await sink.append(lines.bytes);
        state = {
          ...state,
          bytes: state.bytes + lines.bytes.length,
          rows: state.rows + lines.rows,
          cursor: lines.cursor ?? state.cursor,
        };
        progress(state);
        if (state.bytes - durable > durableEvery) await keep();
      }
    } finally {
      await keep();
    }
    if (rest.length > 0) throw unreadable();
  };

  try {
    for (;;) {
      const before = state.rows;
      try {
        await withRetries(fetchRest, options);
        return state;
      } catch (error) {
        // An attempt that brought rows resets the number of retries.
        if (!continues || signal.aborted || !(error instanceof ConnectionError) || state.rows === before) throw error;
      }
    }
  } catch (error) {
    if (!continues) await sink.discard();
    if (doesNotExport(error) && state.rows === begin.rows) return undefined;
    throw error;
  } finally {
    await sink.close();
  }
}

const requestOf = (state: ExportState, includeCursorField: boolean) => ({
  apl: state.apl,
  format: 'ndjson' as const,
  includeCursorField,
  ...boundsOf(state),
  ...(state.cursor !== null && { cursor: state.cursor }),
});

const [lineFeed, comma, closeBrace] = [0x0a, 0x2c, 0x7d] as const;
const cursorKey = Buffer.from('"_cursor":"');

/** Whether the last property of the first line is a cursor. */
function firstHasCursor(text: Buffer): boolean {
  const at = text.lastIndexOf(cursorKey, text.indexOf(lineFeed));
  return at > 0 && cursorEnd.test(text.toString('latin1', at + cursorKey.length, text.indexOf(lineFeed)));
}

const cursorEnd = /^[^"]+"\}$/;

interface Lines {
  readonly bytes: Buffer;
  readonly rows: number;
  /** Of the last line. */
  readonly cursor: string | undefined;
}

/**
 * Complete lines of a text, each an object, without their trailing cursors.
 * @throws Failure when a line has no cursor
 */
function linesOf(text: Buffer, withCursors: boolean): Lines {
  const bytes = withCursors ? Buffer.allocUnsafe(text.length) : text;
  let length = 0;
  let rows = 0;
  let cursor: string | undefined;
  for (let from = 0; from < text.length; rows++) {
    const end = text.indexOf(lineFeed, from);
    if (withCursors) {
      // Never matches within a string, where quotes are escaped.
      const at = text.lastIndexOf(cursorKey, end);
      if (at <= from) throw unreadable();
      const until = text[at - 1] === comma ? at - 1 : at;
      length += text.copy(bytes, length, from, until);
      bytes[length++] = closeBrace;
      bytes[length++] = lineFeed;
      if (end === text.length - 1) cursor = text.toString('latin1', at + cursorKey.length, end - 2);
    }
    from = end + 1;
  }
  return { bytes: withCursors ? bytes.subarray(0, length) : text, rows, cursor };
}

const unreadable = (): Failure =>
  new Failure('failed', 'the server sent lines that are not as they should be; is it the right URL?');
