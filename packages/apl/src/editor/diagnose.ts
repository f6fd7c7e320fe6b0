import type { Catalog } from '../model/catalog.js';
import { compile } from '../compile.js';
import type { CompileOptions } from '../compiled-query.js';
import type { Diagnostic } from '../model/diagnostics.js';
import type { Span } from '../syntax/ast.js';
import { quoteName } from '../syntax/names.js';
import type { Token } from '../syntax/lexing/tokens.js';
import { editorOptions } from './options.js';
import { tokensOf } from './place.js';

/** A change to the text. */
export interface TextEdit {
  readonly range: Span;
  readonly newText: string;
}

/** A correction for a finding. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** A finding with its fixes, the likeliest first. */
export type EditorDiagnostic = Omit<Diagnostic, 'fix'> & { readonly fixes: readonly Fix[] };

/**
 * All findings about a query, in order of place. Findings about times and limits depend on the
 * options that the query would be run with; by default it counts as requested with a time range.
 */
export function diagnose(
  text: string,
  catalog: Catalog,
  options: Partial<CompileOptions> = {},
): readonly EditorDiagnostic[] {
  const result = compile(text, editorOptions(catalog, options));
  const found = result.kind === 'asks' ? result.question.diagnostics : result.diagnostics;
  if (found.length === 0) return [];
  const tokens = tokensOf(text);
  const names = found.some(({ code }) => code === 'missing_column') ? dashedNames(catalog) : new Set<string>();
  return found.map(({ fix, ...finding }) => {
    const quoted = finding.code === 'missing_column' ? quotedAt(tokens, finding.span, names) : undefined;
    const meant = fix && { title: fix.title, edits: [{ range: finding.span, newText: fix.replacement }] };
    return { ...finding, fixes: [quoted, meant].filter((each) => each !== undefined) };
  });
}

/** Names of fields that, unquoted, would read as a subtraction. */
function dashedNames(catalog: Catalog): ReadonlySet<string> {
  const fields = catalog.names.flatMap((name) => [...(catalog.dataset(name)?.fields.keys() ?? [])]);
  return new Set(fields.filter((name) => name.includes('-')));
}

/** The fix for `host-name` where a field has that name: only the quotes are missing. */
function quotedAt(tokens: readonly Token[], span: Span, names: ReadonlySet<string>): Fix | undefined {
  const at = tokens.findIndex(({ start }) => start === span.start);
  if (at < 0) return undefined;
  let first = at;
  let last = at;
  const joins = (left: number): boolean => tokens[left]?.end === tokens[left + 1]?.start;
  const isDash = (index: number): boolean => tokens[index]?.text === '-' && joins(index - 1) && joins(index);
  while (isDash(first - 1)) first -= 2;
  while (isDash(last + 1)) last += 2;
  const name = tokens
    .slice(first, last + 1)
    .map(({ text }) => text)
    .join('');
  if (!names.has(name)) return undefined;
  const range = { start: tokens[first]!.start, end: tokens[last]!.end };
  return { title: 'Quote the name', edits: [{ range, newText: quoteName(name) }] };
}

/** The text after a fix. */
export const applyFix = (text: string, { edits }: Fix): string =>
  edits
    .toSorted((a, b) => b.range.start - a.range.start)
    .reduce((changed, { range, newText }) => changed.slice(0, range.start) + newText + changed.slice(range.end), text);
