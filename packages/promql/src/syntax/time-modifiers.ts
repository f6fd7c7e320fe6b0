import type { SyntaxNode, Tree } from '@lezer/common';

/**
 * `offset` and `@` of a query. The grammar parses them around everything before them: in
 * `a - b offset 1d` around `a - b`. They belong to the selector or subquery that they follow.
 */

type ModifierNode = SyntaxNode & { readonly name: 'OffsetExpr' | 'StepInvariantExpr' };

const isModifier = (node: SyntaxNode): node is ModifierNode =>
  node.name === 'OffsetExpr' || node.name === 'StepInvariantExpr';

export class FoundModifiers {
  /** By where their operand ends; of several the outermost first. */
  readonly #byEnd = new Map<number, ModifierNode[]>();

  constructor(tree: Tree) {
    tree.iterate({
      enter: ({ node }) => {
        if (!isModifier(node)) return;
        const { parent } = node;
        // A modifier of a modifier follows the same operand, and was added with it.
        if (parent === null || !isModifier(parent)) this.#add(node);
      },
    });
  }

  #add(outermost: ModifierNode): void {
    const nodes: ModifierNode[] = [];
    let operand: SyntaxNode = outermost;
    for (; isModifier(operand); operand = operand.firstChild!) nodes.push(operand);
    this.#byEnd.set(operand.to, nodes);
  }

  get isEmpty(): boolean {
    return this.#byEnd.size === 0;
  }

  /** The text with spaces instead of modifiers, so that positions stay. */
  mask(text: string): string {
    const parts: string[] = [];
    let at = 0;
    for (const [end, [outermost]] of [...this.#byEnd].toSorted(([a], [b]) => a - b)) {
      parts.push(text.slice(at, end), ' '.repeat(outermost!.to - end));
      at = outermost!.to;
    }
    return `${parts.join('')}${text.slice(at)}`;
  }

  /** Removes and returns the modifiers that follow an expression which ends here. */
  take(end: number): readonly ModifierNode[] {
    const nodes = this.#byEnd.get(end) ?? [];
    this.#byEnd.delete(end);
    return nodes;
  }

  /** A modifier that follows no selector or subquery: it was not taken. */
  get misplaced(): ModifierNode | undefined {
    return [...this.#byEnd.values()][0]?.[0];
  }
}
