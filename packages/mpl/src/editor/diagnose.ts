import { type Fix, findNearest } from '@millrace/apl/positions';
import { compile } from '../compile.js';
import type { Diagnostic } from '../model/diagnostics.js';
import type { Name, Query } from '../syntax/ast.js';
import { parse } from '../syntax/parse.js';
import type { KnownMetrics } from './known-metrics.js';
import { nameText } from './write.js';

/** A finding with its fixes. */
export type MplFinding = Pick<Diagnostic, 'severity' | 'message' | 'span'> & { readonly fixes: readonly Fix[] };

interface DiagnoseOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Texts of literals, by the name of the parameter. */
  readonly params?: Readonly<Record<string, string>>;
}

const hour = 3_600_000;

/** All findings about a query; it counts as requested with a time range unless it states one. */
export function diagnose(text: string, known: KnownMetrics, { now, params }: DiagnoseOptions): readonly MplFinding[] {
  const { query } = parse(text).file;
  const sources = query === undefined ? [] : sourcesOf(query);
  const range = sources.some((source) => source.range !== undefined) ? {} : { range: { start: now - hour, end: now } };
  const { diagnostics } = compile(text, { now, ...range, ...(params && { params }) });
  return [
    ...diagnostics.map(({ severity, message, span, fix }) => ({
      severity,
      message,
      span,
      fixes: fix === undefined ? [] : [{ title: fix.title, edits: [{ range: span, newText: fix.replacement }] }],
    })),
    ...sources.flatMap(({ dataset, metric }) => [
      ...(dataset.isParam ? [] : unknown(dataset, known.datasets, 'dataset of metrics')),
      ...unknown(
        metric,
        known.metrics.map(({ name }) => name),
        'metric of this time range',
      ),
    ]),
  ].toSorted((a, b) => a.span.start - b.span.start);
}

const sourcesOf = (query: Query): readonly Extract<Query, { readonly kind: 'simple' }>['source'][] =>
  query.kind === 'simple' ? [query.source] : [...sourcesOf(query.left), ...sourcesOf(query.right)];

/** Warns about a name that the editor does not know. */
function unknown({ text, span }: Name, names: readonly string[], what: string): readonly MplFinding[] {
  if (names.length === 0 || names.includes(text)) return [];
  const near = findNearest(text, names);
  const fixes =
    near === undefined ? [] : [{ title: `Write ${near}`, edits: [{ range: span, newText: nameText(near) }] }];
  return [{ severity: 'warning', message: `'${text}' is not a ${what}`, span, fixes }];
}
