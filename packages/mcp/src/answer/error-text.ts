import { lineAndColumn, type Diagnostic } from '@millrace/apl';
import { HttpError } from '@millrace/api/errors';
import { errorTranslator } from '@millrace/query/translate-errors';
import type { AgentContext } from '../context.js';
import { QueryProblem } from '../run-query.js';

/** Errors as an agent reads them: what is wrong, where, and the query with it fixed. */

/** The text of an error of a tool. Records rejections for the audit log. */
export function errorText(error: unknown, { call, service }: AgentContext): string {
  if (error instanceof QueryProblem) return problemText(error);
  const { settings } = service;
  const known =
    error instanceof HttpError
      ? error
      : errorTranslator({ ...settings, queryTimeout: Math.min(settings.queryTimeout, settings.mcpQueryTimeout) })(
          error,
        );
  if (known === undefined) {
    call.log.error({ err: error }, 'a tool of an agent failed');
    return `internal error; its trace ID is ${call.traceId}`;
  }
  call.partFailed(known);
  return lines([`${known.code}: ${known.message}`, advice[known.code] ?? '']);
}

const advice: Readonly<Record<string, string>> = {
  'query-too-long': 'Shorten the time range, filter earlier with where, or aggregate fewer fields.',
  'query-out-of-memory': 'Group by fewer fields, or shorten the time range.',
  'query-too-large': 'Shorten the time range, or select fewer columns with project.',
  'too-many-queries': 'Wait for your other queries to end, then try again.',
};

/** Findings that are shown: the first is mostly the cause of the others. */
const maxFindings = 3;

function problemText({ error, apl, findings }: QueryProblem): string {
  const errors = findings.filter(({ severity }) => severity === 'error').slice(0, maxFindings);
  if (errors.length === 0) return `${error.code}: ${error.message}`;
  return lines([...errors.map((finding) => findingText(finding, apl)), fixedText(errors, apl)]);
}

function findingText({ message, span }: Diagnostic, apl: string): string {
  const { line, column } = lineAndColumn(apl, Math.min(span.start, apl.length));
  const text = apl.split(/\r\n|\r|\n/)[line - 1] ?? '';
  return `line ${line}, column ${column}: ${message}\n  ${text}\n  ${' '.repeat(column - 1)}^`;
}

/** The query with the fixes of its errors. */
function fixedText(errors: readonly Diagnostic[], apl: string): string {
  const fixed = errors
    .toSorted((a, b) => b.span.start - a.span.start)
    .reduce(
      (text, { span, fix }) =>
        fix === undefined ? text : text.slice(0, span.start) + fix.replacement + text.slice(span.end),
      apl,
    );
  return fixed === apl ? 'See the resource millrace://apl for the language.' : `Probably meant:\n${fixed}`;
}

const lines = (all: readonly string[]): string => all.filter((line) => line !== '').join('\n');
