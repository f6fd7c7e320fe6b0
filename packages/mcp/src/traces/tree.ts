/** The spans of a trace as an indented tree with the critical path. */

export interface Span {
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly service: string;
  /** Nanoseconds since the epoch. */
  readonly start: bigint;
  /** Nanoseconds. */
  readonly duration: bigint;
  readonly failed: boolean;
  /** Message of a failure. */
  readonly message: string;
}

interface Node {
  readonly span: Span;
  readonly depth: number;
}

const endOf = ({ start, duration }: Span): bigint => start + duration;

const byStart = (a: Span, b: Span): number => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0);

/** Orders spans as a tree: children follow their parent, by start. Each span appears once. */
export function treeOf(spans: readonly Span[]): readonly Node[] {
  const ids = new Set(spans.map(({ id }) => id));
  const children = new Map<string, Span[]>();
  const roots: Span[] = [];
  for (const span of spans.toSorted(byStart)) {
    if (span.parent === '' || span.parent === span.id || !ids.has(span.parent)) roots.push(span);
    else children.set(span.parent, [...(children.get(span.parent) ?? []), span]);
  }
  const nodes: Node[] = [];
  const seen = new Set<Span>();
  // Spans whose parents form a circle have no root: they follow as roots.
  for (const root of [...roots, ...spans.toSorted(byStart)]) {
    const waiting: Node[] = [{ span: root, depth: 0 }];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (seen.has(node.span)) continue;
      seen.add(node.span);
      nodes.push(node);
      const { depth } = node;
      const below = (children.get(node.span.id) ?? []).map((span) => ({ span, depth: depth + 1 }));
      waiting.push(...below.reverse());
    }
  }
  return nodes;
}

/**
 * The spans that determine how long the trace takes: from the end of each span backwards, the child
 * that ended last before.
 */
export function criticalPath(nodes: readonly Node[]): ReadonlySet<Span> {
  const children = new Map<string, Span[]>();
  for (const { span } of nodes) children.set(span.parent, [...(children.get(span.parent) ?? []), span]);
  const root = nodes
    .filter(({ depth }) => depth === 0)
    .reduce<Span | undefined>(
      (last, { span }) => (last === undefined || endOf(span) > endOf(last) ? span : last),
      undefined,
    );
  const path = new Set<Span>();
  const waiting = root === undefined ? [] : [root];
  for (let span = waiting.pop(); span !== undefined; span = waiting.pop()) {
    if (path.has(span)) continue;
    path.add(span);
    let until = endOf(span);
    const below = (children.get(span.id) ?? []).filter((child) => child !== span);
    for (const child of below.toSorted((a, b) => (endOf(a) > endOf(b) ? -1 : 1))) {
      if (endOf(child) > until) continue;
      waiting.push(child);
      until = child.start;
    }
  }
  return path;
}
