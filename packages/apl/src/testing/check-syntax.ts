import type { Diagnostic } from '../diagnostics.js';
import { parse, parseExpression } from '../syntax/parse.js';
import { printExpr, printProgram } from './print-tree.js';

/** The form of every message: no capital at the beginning, no full stop, parts divided by semicolons; so they can be put behind a place. */
export const oneForm = /^(?![A-Z][a-z]* [a-z])(?!.*\w\. [A-Z][a-z]).*(?<![\w)\]]\.)$/s;

/** How a query is read; fails when anything was found wrong with it. */
export function readQuery(text: string): string {
  const { program, diagnostics } = parse(text);
  failOn(text, diagnostics);
  return printProgram(program);
}

/** How an operator is read. */
export function readOperator(text: string): string {
  const printed = readQuery(`t | ${text}`);
  return printed.slice('t | '.length);
}

/** How a scalar expression is read. */
export function readExpr(text: string): string {
  const { expr, diagnostics } = parseExpression(text);
  failOn(text, diagnostics);
  return printExpr(expr);
}

/** Findings of a query, one a line: the place in guillemets within the text, what is wrong, and the text after the fix. */
export function findings(text: string): readonly string[] {
  return parse(text).diagnostics.map((diagnostic) => describe(text, diagnostic));
}

/** The text with every fix applied. */
export function fixed(text: string): string {
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
