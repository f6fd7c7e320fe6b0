import type { SyntaxNode } from '@lezer/common';
import type { Span } from '@millrace/apl/positions';
import { ParseProblem } from '../model/problems.js';
import { unquote } from './strings.js';

/** The text of a query, and what its nodes stand for. */
export class Source {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  text = ({ from, to }: SyntaxNode): string => this.#text.slice(from, to);

  span = ({ from, to }: SyntaxNode): Span => ({ start: from, end: to });

  problem = ({ from }: Pick<SyntaxNode, 'from'>, message: string): ParseProblem =>
    new ParseProblem(this.#text, { start: from }, message);

  /** @throws ParseProblem */
  string(literal: SyntaxNode): string {
    const value = unquote(this.text(literal));
    if (value === undefined) throw this.problem(literal, 'unknown escape sequence');
    return value;
  }

  /** The name of a label, quoted or not. */
  name(node: SyntaxNode): string {
    const literal = node.name === 'QuotedLabelName' ? node.firstChild! : node;
    return literal.name === 'StringLiteral' ? this.string(literal) : this.text(literal);
  }

  children(node: SyntaxNode): readonly SyntaxNode[] {
    const found: SyntaxNode[] = [];
    for (let child = node.firstChild; child !== null; child = child.nextSibling)
      if (child.name !== 'LineComment') found.push(child);
    return found;
  }
}
