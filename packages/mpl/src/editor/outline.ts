import type { Span } from '@millrace/apl/positions';
import type { Filter, FunctionCall, Name, Pipe, Value } from '../syntax/ast.js';
import { parse } from '../syntax/parse.js';

/** A step after the filters, as a form shows it. */
export type OutlineStep = { readonly span: Span } & (
  | { readonly kind: 'align'; readonly fn: string; readonly width: string | undefined }
  | { readonly kind: 'group'; readonly fn: string; readonly by: readonly string[] }
  | {
      readonly kind: 'bucket';
      readonly fn: string;
      readonly by: readonly string[];
      readonly width: string | undefined;
      /** The function with its arguments. */
      readonly call: string;
    }
  | { readonly kind: 'other' }
);

/** The parts of a query that a form can show and change. */
export interface MplOutline {
  readonly dataset: Name;
  readonly metric: Name;
  /** Whether the text has its own time range. */
  readonly hasRange: boolean;
  /** Where filters begin. */
  readonly sourceEnd: number;
  /** Where the steps after the filters begin. */
  readonly filtersEnd: number;
  /** Conditions that all apply. */
  readonly filters: readonly { readonly span: Span; readonly tag: string | undefined }[];
  readonly steps: readonly OutlineStep[];
}

/**
 * Reads the parts of a query. Undefined for text with mistakes, and for one that combines queries:
 * a form cannot show them.
 */
export function outline(text: string): MplOutline | undefined {
  const { file, sink } = parse(text);
  const { query } = file;
  if (sink.failed || query?.kind !== 'simple') return undefined;
  const { source, offset, sample, filters, pipes } = query;
  if (source.dataset.isParam) return undefined;
  const sourceEnd = Math.max(source.span.end, offset?.span.end ?? 0, sample?.span.end ?? 0);
  return {
    dataset: source.dataset,
    metric: source.metric,
    hasRange: source.range !== undefined,
    sourceEnd,
    filtersEnd: filters.at(-1)?.span.end ?? sourceEnd,
    filters: filters.flatMap((step) =>
      step.kind === 'where' ? conditionsOf(step.filter) : [{ span: step.span, tag: undefined }],
    ),
    steps: pipes.map((pipe) => stepOf(pipe, text)),
  };
}

const conditionsOf = (filter: Filter): MplOutline['filters'] =>
  filter.kind === 'and'
    ? filter.parts.flatMap(conditionsOf)
    : [{ span: filter.span, tag: 'tag' in filter ? filter.tag.text : undefined }];

function stepOf(pipe: Pipe, text: string): OutlineStep {
  const { span } = pipe;
  switch (pipe.kind) {
    case 'align':
      return { kind: 'align', span, fn: pipe.fn.name, width: writePart(pipe.to, text) };
    case 'group':
      return { kind: 'group', span, fn: pipe.fn.name, by: namesOf(pipe.by) };
    case 'bucket': {
      const call = writePart(pipe.fn, text)!;
      return { kind: 'bucket', span, fn: pipe.fn.name, by: namesOf(pipe.by), width: writePart(pipe.to, text), call };
    }
    case 'map':
    case 'as':
    case 'extend':
      return { kind: 'other', span };
  }
}

const namesOf = (names: readonly Name[] = []): readonly string[] => names.map(({ text }) => text);

const writePart = (part: Value | FunctionCall | undefined, text: string): string | undefined =>
  part && text.slice(part.span.start, part.span.end);
