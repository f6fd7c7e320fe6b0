import { operatorNames, parse, tokensOf } from '@millrace/apl/editor';

/** Words that begin a query and hardly a search; others, such as `parse`, need their arguments. */
const BEGINNINGS =
  /^(let\s+\w+\s*=|set\s+\w+\s*[=;]|declare\s+\w+\s*\(|(datatable|externaldata|table)\s*\(|print\s|union\s|range\s+\w+\s+from\b|(search|find)\s+(\w+=\S+\s+)?in\s*\(|(where|summarize|extend|extend-valid|distinct|make-series|mv-expand|mv-apply|project|project-\w+)\s|(sort|order)\s+by\s|(take|limit|top)\s+\d)/;

/**
 * Whether text is a query, complete or not, rather than search text. `names` are the known datasets
 * and views; undefined if they are not known yet.
 */
export function isApl(text: string, names: readonly string[] | undefined): boolean {
  const trimmed = text.trim();
  if (trimmed === '' || /^(\/\/|\[\s*'|\[\s*"[^"]*"\s*\]|\|)/.test(trimmed) || BEGINNINGS.test(trimmed)) return true;
  if (trimmed.startsWith('{')) return false;
  const pipe = tokensOf(text).find(({ kind, text: sign }) => kind === 'punctuation' && (sign === '|' || sign === '||'));
  if (pipe !== undefined) {
    const source = text.slice(0, pipe.start).trim();
    const [next = ''] = /^[\w-]*/.exec(text.slice(pipe.end).trimStart()) ?? [];
    return isName(source) || (pipe.text === '|' && operatorNames.has(next));
  }
  if (isName(trimmed)) return names === undefined || trimmed.includes('*') || names.includes(trimmed);
  const [, source = '', next = ''] = /^(\S+)\s+([\w-]+)/.exec(trimmed) ?? [];
  // A dataset before an operator: only the pipe is missing.
  if (names?.includes(source) === true && operatorNames.has(next)) return true;
  // A query without a pipe, such as `f(x)`; a name in it must be known, or words would be queries.
  const { program, diagnostics } = parse(text);
  const kind = program.query?.source.kind;
  return (
    kind !== undefined &&
    kind !== 'none' &&
    kind !== 'table' &&
    !diagnostics.some(({ severity }) => severity === 'error')
  );
}

const isName = (text: string): boolean => /^[\w.*-]+$/.test(text) && !text.startsWith('-');
