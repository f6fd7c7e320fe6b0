import type { Diagnostic } from '../model/diagnostics.js';
import { parse, parseExpression } from '../syntax/parse.js';
import { printExpr, printProgram } from './print-tree.js';

/**
 * The form of every message: no initial capital, no full stop, parts separated by semicolons, so
 * that it can follow a position.
 */
export const oneForm = /^(?![A-Z][a-z]* [a-z])(?!.*\w\. [A-Z][a-z]).*(?<![\w)\]]\.)$/s;

/** The printed tree of a query; fails on any finding. */
export function readQuery(text: string): string {
  const { program, diagnostics } = parse(text);
  failOn(text, diagnostics);
  return printProgram(program);
}

/** The printed tree of an operator. */
export function readOperator(text: string): string {
  const printed = readQuery(`t | ${text}`);
  return printed.slice('t | '.length);
}

/** The printed tree of a scalar expression. */
export function readExpr(text: string): string {
  const { expr, diagnostics } = parseExpression(text);
  failOn(text, diagnostics);
  return printExpr(expr);
}

/** The findings of a query, each as its text with the place in guillemets, then the message. */
export function findings(text: string): readonly string[] {
  return parse(text).diagnostics.map((diagnostic) => describe(text, diagnostic));
}

/** The text with every fix applied. */
export function applyFixes(text: string): string {
  let result = text;
  for (const { span, fix } of parse(text).diagnostics.toReversed()) {
    if (fix !== undefined) result = result.slice(0, span.start) + fix.replacement + result.slice(span.end);
  }
  return result;
}

function describe(text: string, { span, message, severity }: Diagnostic): string {
  const mark = severity === 'error' ? '' : `(${severity}) `;
  return `${mark}${text.slice(0, span.start)}«${text.slice(span.start, span.end)}» ${message}`;
}

function failOn(text: string, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0) throw new Error(diagnostics.map((diagnostic) => describe(text, diagnostic)).join('\n'));
}
