import type { Diagnostic } from '../model/diagnostics.js';
import { consume } from '../model/compile-budget.js';
import type { Expr, Program } from './ast.js';
import { DiagnosticSink } from './diagnostic-sink.js';
import { parseExpression as expressionRule } from './expressions.js';
import { lex } from './lexing/lexer.js';
import { queryBounds } from '../model/query-limits.js';
import { type GrammarRules, Parser } from './parser.js';
import { parseOperators, parsePipeline } from './pipeline.js';
import { parseProgram } from './statements.js';
import { isTooHigh } from './tree-height.js';

const rules: GrammarRules = { expression: expressionRule, pipeline: parsePipeline, operators: parseOperators };

/**
 * Parses a whole query. Never throws and always returns a tree: unparsable parts are `error` nodes
 * or omitted, and a diagnostic gives the reason. A tree with no diagnostic of severity `error` is
 * complete.
 */
export function parse(text: string): { readonly program: Program; readonly diagnostics: readonly Diagnostic[] } {
  const empty: Program = { statements: [], span: { start: 0, end: text.length } };
  const { tree, diagnostics } = run(text, parseProgram, empty);
  return { program: tree, diagnostics };
}

/** Reads one scalar expression, such as that of a virtual field. Otherwise like `parse`. */
export function parseExpression(text: string): { readonly expr: Expr; readonly diagnostics: readonly Diagnostic[] } {
  const rule = (p: Parser): Expr => {
    const expr = expressionRule(p);
    if (p.peek().kind !== 'end') p.reportUnexpected('the end of the expression');
    return expr;
  };
  const { tree, diagnostics } = run(text, rule, { kind: 'error', span: { start: 0, end: text.length } });
  return { expr: tree, diagnostics };
}

interface Outcome<T> {
  readonly tree: T;
  readonly diagnostics: readonly Diagnostic[];
}

function run<T extends object>(text: string, rule: (p: Parser) => T, empty: T): Outcome<T> {
  const refuse = (message: string): Outcome<T> => {
    const span = { start: 0, end: text.length };
    return { tree: empty, diagnostics: [{ severity: 'error', code: 'limit', message, span }] };
  };
  if (text.length > queryBounds.textLength.max) {
    return refuse(`the query has ${text.length} characters; at most ${queryBounds.textLength.max} are read`);
  }
  consume(text.length / 100);
  const sink = new DiagnosticSink();
  const tree = rule(new Parser(text, lex(text, sink), sink, rules));
  if (isTooHigh(tree, queryBounds.treeHeight.max)) {
    return refuse(
      `an expression has more than ${queryBounds.treeHeight.max} steps in a row; split it with let or extend`,
    );
  }
  return { tree, diagnostics: sink.inOrder() };
}
