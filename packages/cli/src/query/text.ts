import { readFile } from 'node:fs/promises';
import { AnswerError } from '../connection/client.js';
import { Failure, usage } from '../failure.js';
import { problemOf } from '../system-errors.js';
import { type Io, styleText } from '../io.js';
import { escapeControls } from '../render/width.js';

/** Query texts: input, added operators and error display. */

export const queryOptions = {
  file: { type: 'text', short: 'f', metavar: 'FILE', doc: 'Read the query from a file.' },
  start: {
    type: 'text',
    metavar: 'TIME',
    doc: 'Start of the time range, RFC 3339 or relative (now-1h). Default: oldest event.',
  },
  end: { type: 'text', metavar: 'TIME', doc: 'End of the time range. Default: the newest event.' },
} as const;

/**
 * Query from the argument, a file or standard input.
 * @throws Failure `usage`
 */
export async function queryText(given: string | undefined, file: string | undefined, io: Io): Promise<string> {
  if (given !== undefined && file !== undefined) throw usage('give the query or --file, not both');
  const text = given === undefined || given === '-' ? await read(file, io) : given;
  if (text.trim() === '') throw usage('the query is empty');
  return text;
}

async function read(file: string | undefined, { input }: Io): Promise<string> {
  if (file !== undefined && file !== '-') {
    return readFile(file, 'utf8').catch((error: unknown) => {
      throw new Failure('failed', `${file} cannot be read: ${problemOf(error)}`, { cause: error });
    });
  }
  if (input.terminal) throw usage("no query; give one in quotes, as in: millrace query 'logs | count'");
  const pieces: Uint8Array[] = [];
  for await (const piece of input) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** Appends an operator, so that positions in the text stay valid. */
export const withStep = (apl: string, step: string): string => `${apl.replace(/[\s;]+$/, '')}\n| ${step}`;

/** Shows the line of a query error with a caret. */
export function showPlace(error: unknown, apl: string, { err }: Pick<Io, 'err'>): unknown {
  if (!(error instanceof AnswerError) || error.detail === undefined) return error;
  const { line, column, message } = error.detail;
  const text = apl.split(/\r\n|[\n\r]/)[line - 1];
  if (text === undefined) return error;
  // Copied tabs keep the caret aligned.
  const under = text.slice(0, column - 1).replaceAll(/[^\t]/gu, ' ');
  const shown = `  ${text.replaceAll(/[^\t\P{Cc}]/gu, '\uFFFD')}\n  ${under}${styleText(err, 'red', '^')}`;
  const first = `line ${line}, column ${column}: ${message}`;
  const others = otherErrors(error.message, first).map((other) => `\n${escapeControls(other)}`);
  return new Failure(error.exit, `${escapeControls(first)}\n${shown}${others.join('')}`, { cause: error });
}

/** All errors of a message but the first. */
function otherErrors(message: string, first: string): readonly string[] {
  if (!message.startsWith(`${first}; line `)) return [];
  return message.slice(first.length + 2).split(/; (?=line \d+, column \d+: )/);
}
