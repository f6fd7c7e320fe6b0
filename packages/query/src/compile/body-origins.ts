import type { Ast } from '@millrace/apl';

/**
 * The source of each node of a syntax tree in a structured request. The properties of the request
 * are concatenated in a virtual text, and the spans of the tree are offsets in it, so that a
 * diagnostic about the tree can name the property and, if that contains APL, the line and column.
 */
export class BodyOrigins {
  readonly #members: { readonly name: string; readonly text: string; readonly start: number }[] = [];
  #end = 0;

  /** Adds a member, such as `filter.children[0].value`, with the APL it holds. */
  of(name: string, text = ''): Ast.Span {
    const start = this.#end;
    this.#end += text.length + 1;
    this.#members.push({ name, text, start });
    return { start, end: this.#end };
  }

  /** The member at a place in the imaginary text. */
  find(offset: number): { readonly name: string; readonly text: string; readonly offset: number } {
    const found = this.#members.findLast(({ start }) => start <= offset);
    return found === undefined
      ? { name: 'body', text: '', offset: 0 }
      : { name: found.name, text: found.text, offset: offset - found.start };
  }
}

/** A tree whose spans are shifted to where its text lies among the others. */
export function shiftTree<T>(tree: T, by: number): T {
  if (Array.isArray(tree)) return tree.map((item: unknown) => shiftTree(item, by)) as T;
  if (typeof tree !== 'object' || tree === null) return tree;
  const moved = Object.entries(tree).map(([key, value]): readonly [string, unknown] => [
    key,
    (key === 'start' || key === 'end') && typeof value === 'number' ? value + by : shiftTree(value as unknown, by),
  ]);
  return Object.fromEntries(moved) as T;
}
