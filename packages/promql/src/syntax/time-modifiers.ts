import type { SyntaxNode, Tree } from '@lezer/common';

/**
 * `offset` and `@` of a query. The grammar parses them around everything before them: in
 * `a - b offset 1d` around `a - b`. They belong to the selector or subquery that they follow.
 */

type ModifierNode = SyntaxNode & { readonly name: 'OffsetExpr' | 'StepInvariantExpr' };

const isModifier = (node: SyntaxNode): node is ModifierNode =>
  node.name === 'OffsetExpr' || node.name === 'StepInvariantExpr';

export class FoundModifiers {
  readonly #byEnd = new Map<number, ModifierNode[]>();

  constructor(tree: Tree) {
    tree.iterate({
      enter: ({ node }) => {
        if (!isModifier(node)) return;
        const end = operandEnd(node);
        this.#byEnd.set(end, [...(this.#byEnd.get(end) ?? []), node]);
      },
    });
  }

  get isEmpty(): boolean {
    return this.#byEnd.size === 0;
  }

  /** The text with spaces instead of modifiers, so that positions stay. */
  mask(text: string): string {
    let masked = text;
    for (const [end, nodes] of this.#byEnd) {
      const last = Math.max(...nodes.map(({ to }) => to));
      masked = masked.slice(0, end) + ' '.repeat(last - end) + masked.slice(last);
    }
    return masked;
  }

  /** Removes and returns the modifiers that follow an expression which ends here. */
  take(end: number): readonly ModifierNode[] {
    const nodes = this.#byEnd.get(end) ?? [];
    this.#byEnd.delete(end);
    return nodes;
  }

  /** A modifier that was not taken. */
  get left(): ModifierNode | undefined {
    return [...this.#byEnd.values()][0]?.[0];
  }
}

/** Where the expression ends that a modifier follows; other modifiers may stand between them. */
function operandEnd(modifier: ModifierNode): number {
  let operand = modifier.firstChild!;
  while (isModifier(operand)) operand = operand.firstChild!;
  return operand.to;
}
