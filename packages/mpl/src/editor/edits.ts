import type { Span } from '@millrace/apl/positions';
import type { MplOutline, OutlineStep } from './outline.js';
import { nameText } from './write.js';

/** Edits of a query by clicks: comments and steps elsewhere stay as they are. */

const replacePart = (text: string, { start, end }: Span, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

const insertStep = (text: string, at: number, step: string): string =>
  `${text.slice(0, at).trimEnd()}\n| ${step}${text.slice(at)}`;

/** Removes a step with its pipe. */
export function withoutStep(text: string, { start, end }: Span): string {
  const pipe = text.lastIndexOf('|', start);
  return text.slice(0, pipe).trimEnd() + text.slice(end);
}

/** Adds a condition after the last one. */
export const withCondition = (text: string, { filtersEnd }: MplOutline, condition: string): string =>
  insertStep(text, filtersEnd, `where ${condition}`);

/** Removes a condition: with its `and`, or with its step. */
export function withoutCondition(text: string, { filters }: MplOutline, span: Span): string {
  const at = filters.findIndex((each) => each.span.start === span.start);
  const [before, after] = [filters[at - 1], filters[at + 1]];
  if (before !== undefined && isAnd(text, before.span.end, span.start))
    return replacePart(text, { start: before.span.end, end: span.end }, '');
  if (after !== undefined && isAnd(text, span.end, after.span.start))
    return replacePart(text, { start: span.start, end: after.span.start }, '');
  return withoutStep(text, span);
}

const isAnd = (text: string, start: number, end: number): boolean => text.slice(start, end).trim() === 'and';

const find = <K extends OutlineStep['kind']>(
  { steps }: MplOutline,
  kind: K,
): Extract<OutlineStep, { readonly kind: K }> | undefined =>
  steps.find((step): step is Extract<OutlineStep, { readonly kind: K }> => step.kind === kind);

/** How the values of a window become one. */
export const alignmentOf = (outline: MplOutline) => find(outline, 'align');
/** How series are combined. */
export const groupingOf = (outline: MplOutline) => find(outline, 'group');
/** Quantiles of a histogram. */
export const bucketOf = (outline: MplOutline) => find(outline, 'bucket');

interface Alignment {
  readonly fn: string;
  /** Undefined for the whole range. */
  readonly width: string | undefined;
}

const toText = (width: string | undefined): string => (width === undefined ? '' : ` to ${width}`);
const byText = (by: readonly string[]): string => (by.length === 0 ? '' : ` by ${by.map(nameText).join(', ')}`);

const alignText = ({ fn, width }: Alignment): string => `align${toText(width)} using ${fn}`;
const groupText = (fn: string, by: readonly string[]): string => `group${byText(by)} using ${fn}`;
const bucketText = (call: string, width: string | undefined, by: readonly string[]): string =>
  `bucket${byText(by)}${toText(width)} using ${call}`;

/** Sets the alignment; the first step unless there is one. It replaces quantiles. */
export function withAlignment(text: string, outline: MplOutline, alignment: Alignment): string {
  const step = alignmentOf(outline);
  if (step !== undefined) return replacePart(text, step.span, alignText(alignment));
  const bucket = bucketOf(outline);
  if (bucket === undefined) return insertStep(text, outline.filtersEnd, alignText(alignment));
  return replacePart(text, bucket.span, `${alignText(alignment)}\n| ${groupText('sum', bucket.by)}`);
}

/** Sets the grouping, after the alignment; undefined for each series. */
export function withGrouping(
  text: string,
  outline: MplOutline,
  grouping: { readonly fn: string; readonly by: readonly string[] } | undefined,
): string {
  const step = groupingOf(outline);
  if (grouping === undefined) return step === undefined ? text : withoutStep(text, step.span);
  const written = groupText(grouping.fn, grouping.by);
  if (step !== undefined) return replacePart(text, step.span, written);
  return insertStep(text, alignmentOf(outline)?.span.end ?? outline.filtersEnd, written);
}

/** Sets the quantiles of a histogram; they replace alignment and grouping. */
export function withBucket(
  text: string,
  outline: MplOutline,
  { call, width, by }: { readonly call: string; readonly width: string | undefined; readonly by: readonly string[] },
): string {
  const written = bucketText(call, width, by);
  const step = bucketOf(outline);
  if (step !== undefined) return replacePart(text, step.span, written);
  const [align, group] = [alignmentOf(outline), groupingOf(outline)];
  if (align === undefined)
    return group === undefined ? insertStep(text, outline.filtersEnd, written) : replacePart(text, group.span, written);
  const ungrouped = group === undefined ? text : withoutStep(text, group.span);
  // The grouping follows the alignment, whose place stays.
  return replacePart(ungrouped, align.span, written);
}
