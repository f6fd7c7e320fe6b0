/**
 * Spans of a trace as a tree, and as waterfall rows. Nothing recurses: a trace may be as deep as it
 * is long.
 */

export interface Span {
  readonly id: string;
  /** Empty for a root. */
  readonly parent: string;
  readonly name: string;
  readonly kind: string;
  readonly service: string;
  /** Nanoseconds since the start of the trace. */
  readonly start: number;
  /** Nanoseconds. */
  readonly duration: number;
  readonly error: boolean;
}

export interface SpanNode {
  /** Unique in the trace, even if an ID occurs twice. */
  readonly key: string;
  readonly span: Span;
  readonly children: SpanNode[];
  readonly depth: number;
  /** The parent span is missing. */
  readonly parentMissing: boolean;
  /** Nanoseconds that it starts before its parent, due to clock skew. */
  readonly early: number;
  onCriticalPath: boolean;
}

export interface Trace {
  readonly roots: readonly SpanNode[];
  /** In waterfall order. */
  readonly nodes: readonly SpanNode[];
  /** Nanoseconds from the first start to the last end. */
  readonly duration: number;
  readonly depth: number;
  readonly errors: number;
  /** Slowest first. */
  readonly services: readonly string[];
}

interface Draft {
  readonly key: string;
  readonly span: Span;
  readonly children: Draft[];
  parent: Draft | undefined;
  /** Walks up to the span that has no parent yet; the span itself if it has none. */
  top: Draft | undefined;
}

export function traceOfSpans(spans: readonly Span[]): Trace {
  const drafts = spans.map((span, index): Draft => ({
    key: String(index),
    span,
    children: [],
    parent: undefined,
    top: undefined,
  }));
  const byId = new Map<string, Draft>();
  for (const draft of drafts) if (!byId.has(draft.span.id)) byId.set(draft.span.id, draft);
  for (const draft of drafts) {
    const parent = byId.get(draft.span.parent);
    // Breaks cycles of IDs.
    if (parent !== undefined && topOf(parent) !== draft) {
      draft.parent = parent;
      draft.top = parent;
      parent.children.push(draft);
    }
  }
  const nodes: SpanNode[] = [];
  const roots: SpanNode[] = [];
  const begins = (a: Draft, b: Draft): number => a.span.start - b.span.start || Number(a.key) - Number(b.key);
  const waiting: { readonly draft: Draft; readonly into: SpanNode | undefined }[] = drafts
    .filter(({ parent }) => parent === undefined)
    .toSorted(begins)
    .map((draft) => ({ draft, into: undefined }))
    .reverse();
  while (waiting.length > 0) {
    const { draft, into } = waiting.pop()!;
    const node: SpanNode = {
      key: draft.key,
      span: draft.span,
      children: [],
      depth: into === undefined ? 0 : into.depth + 1,
      parentMissing: into === undefined && draft.span.parent !== '',
      early: into === undefined ? 0 : Math.max(0, into.span.start - draft.span.start),
      onCriticalPath: false,
    };
    nodes.push(node);
    if (into === undefined) roots.push(node);
    else into.children.push(node);
    for (const child of draft.children.toSorted(begins).reverse()) waiting.push({ draft: child, into: node });
  }
  markCriticalPath(roots);
  const time = new Map<string, number>();
  for (const { service, duration } of spans) time.set(service, (time.get(service) ?? 0) + duration);
  return {
    roots,
    nodes,
    duration: spans.reduce((last, { start, duration }) => Math.max(last, start + duration), 0),
    depth: nodes.reduce((max, { depth }) => Math.max(max, depth), 0),
    errors: spans.filter(({ error }) => error).length,
    services: [...time].toSorted((a, b) => b[1] - a[1]).map(([service]) => service),
  };
}

/** Topmost ancestor of a span, with path compression. */
function topOf(draft: Draft): Draft {
  let each = draft;
  while (each.top !== undefined) {
    if (each.top.top !== undefined) each.top = each.top.top;
    each = each.top;
  }
  return each;
}

/** Critical path: from the end backwards, always the child that ended last. */
function markCriticalPath(roots: readonly SpanNode[]): void {
  const last = roots.toSorted((a, b) => endOf(b.span) - endOf(a.span))[0];
  const waiting = last === undefined ? [] : [last];
  while (waiting.length > 0) {
    const node = waiting.pop()!;
    node.onCriticalPath = true;
    let until = endOf(node.span);
    for (const child of node.children.toSorted((a, b) => endOf(b.span) - endOf(a.span))) {
      if (endOf(child.span) > until) continue;
      waiting.push(child);
      until = child.span.start;
    }
  }
}

const endOf = ({ start, duration }: Span): number => start + duration;

/** A time range within a trace, in nanoseconds from its start. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** More children of one span with the same name are grouped into one row. */
const MANY_SIBLINGS = 200;
const MIN_GROUP = 20;

export type TraceRow =
  | {
      readonly kind: 'span';
      readonly key: string;
      readonly depth: number;
      readonly node: SpanNode;
      readonly open: boolean;
    }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly depth: number;
      readonly nodes: readonly SpanNode[];
      readonly open: boolean;
    };

/**
 * Visible rows given the toggled ones: spans are initially expanded, groups of siblings collapsed.
 */
export function traceRows({ roots }: Trace, toggled: ReadonlySet<string>): readonly TraceRow[] {
  const rows: TraceRow[] = [];
  const spanRow = (node: SpanNode): TraceRow => ({
    kind: 'span',
    key: node.key,
    depth: node.depth,
    node,
    open: node.children.length > 0 && !toggled.has(node.key),
  });
  const waiting: TraceRow[] = roots.map(spanRow).reverse();
  while (waiting.length > 0) {
    const row = waiting.pop()!;
    rows.push(row);
    if (!row.open) continue;
    const below = row.kind === 'group' ? row.nodes.map(spanRow) : rowsBelow(row.node, spanRow, toggled);
    for (const each of below.reverse()) waiting.push(each);
  }
  return rows;
}

function rowsBelow(parent: SpanNode, spanRow: (node: SpanNode) => TraceRow, toggled: ReadonlySet<string>): TraceRow[] {
  if (parent.children.length <= MANY_SIBLINGS) return parent.children.map(spanRow);
  const byName = new Map<string, SpanNode[]>();
  for (const node of parent.children) {
    const name = `${node.span.service}\n${node.span.name}`;
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [node]);
    else same.push(node);
  }
  const rows: TraceRow[] = [];
  for (const node of parent.children) {
    const name = `${node.span.service}\n${node.span.name}`;
    const nodes = byName.get(name)!;
    const key = `${parent.key}/${name}`;
    if (nodes.length < MIN_GROUP) rows.push(spanRow(node));
    else if (nodes[0] === node) rows.push({ kind: 'group', key, depth: node.depth, nodes, open: toggled.has(key) });
  }
  return rows;
}

/** `812 µs`, `1.25 s`: three significant digits. */
export function spanTime(nanoseconds: number): string {
  const units = [
    ['s', 1e9],
    ['ms', 1e6],
    ['µs', 1e3],
  ] as const;
  const size = Math.abs(nanoseconds);
  if (size >= 60e9) return `${Math.floor(size / 60e9)} min ${Math.round((size % 60e9) / 1e9)} s`;
  const [unit, length] = units.find(([, each]) => size >= each) ?? ['ns', 1];
  return `${Number((nanoseconds / length).toPrecision(3))} ${unit}`;
}
