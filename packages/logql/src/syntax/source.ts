import type { SyntaxNode } from '@lezer/common';
import type { Span } from '@millrace/apl/positions';
import { unquote } from '@millrace/promql';
import { LogqlProblem } from '../model/problems.js';

/** The text of a query, and what its nodes stand for. */
export class Source {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  text = ({ from, to }: SyntaxNode): string => this.#text.slice(from, to);

  span = ({ from, to }: SyntaxNode): Span => ({ start: from, end: to });

  problem = ({ from }: Pick<SyntaxNode, 'from'>, message: string): LogqlProblem =>
    this.problemAt({ start: from }, message);

  problemAt = (span: Pick<Span, 'start'>, message: string): LogqlProblem => new LogqlProblem(this.#text, span, message);

  /** @throws LogqlProblem */
  string(literal: SyntaxNode): string {
    const value = unquote(this.text(literal));
    if (value === undefined) throw this.problem(literal, 'unknown escape sequence; write the text in backquotes');
    return value;
  }

  /** The children of a node without comments. */
  children(node: SyntaxNode): readonly SyntaxNode[] {
    const found: SyntaxNode[] = [];
    for (let child = node.firstChild; child !== null; child = child.nextSibling)
      if (child.name !== 'LineComment') found.push(child);
    return found;
  }

  /** The items of a list that the grammar nests to the left. */
  items(node: SyntaxNode): readonly SyntaxNode[] {
    return this.children(node).flatMap((child) => (child.name === node.name ? this.items(child) : [child]));
  }

  /** The first node of a name below a node. */
  child(node: SyntaxNode, name: string): SyntaxNode | undefined {
    return node.getChild(name) ?? undefined;
  }
}
