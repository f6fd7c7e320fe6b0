import type { DiagnosticCode } from '../model/diagnostic-codes.js';
import { lineAndColumn } from '../model/diagnostics.js';
import type { ErrorExpr, Expr, Operator, Span, Tabular } from './ast.js';
import type { DiagnosticSink, Fix } from './diagnostic-sink.js';
import { foreignClauses } from './hints/foreign-clauses.js';
import { queryBounds } from '../model/query-limits.js';
import type { Token } from './lexing/tokens.js';

/** The grammar rules that refer to each other across files; `parse.ts` connects them. */
export interface GrammarRules {
  readonly expression: (p: Parser) => Expr;
  /** A pipeline up to its end: `|`-separated operators after a source. */
  readonly pipeline: (p: Parser) => Tabular;
  /** Operators separated by `|`; the first needs none before it. */
  readonly operators: (p: Parser) => readonly Operator[];
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * A position in the tokens of one text, and the common actions of all rules: peek, take, expect,
 * report, recover.
 */
export class Parser {
  readonly text: string;
  readonly rules: GrammarRules;
  /** Inside `search` a colon compares: `field:"x"`. */
  inSearch = false;
  /**
   * In the value of a `let`, a quoted name on a new line begins the next statement: the `;` is
   * missing.
   */
  inLet = false;
  /** Where adjacent strings without commas are separate strings. */
  textsStandAlone: 'always' | 'on lines of their own' | undefined;
  /** Inside `dynamic(…)` a square bracket begins an array, not a quoted name. */
  inDynamic = false;
  readonly #tokens: readonly Token[];
  readonly #sink: DiagnosticSink;
  /** For an opening bracket, the index of the one that closes it; -1 for every other token. */
  readonly #closingBrackets: readonly number[];
  /** Like `closing`, but `;` ends nothing; computed on first use. */
  #closingForeign: readonly number[] | undefined;
  #position = 0;
  #depth = 0;

  constructor(text: string, tokens: readonly Token[], sink: DiagnosticSink, rules: GrammarRules) {
    this.text = text;
    this.rules = rules;
    this.#tokens = tokens;
    this.#sink = sink;
    this.#closingBrackets = matchBrackets(tokens);
  }

  // ------------------------------------------------------------- looking

  /** The token `ahead` positions further; beyond the last token, the last one. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#position + ahead, this.#tokens.length - 1)]!;
  }

  /**
   * Whether the token `ahead` is this word or sign. A string never matches: its text begins with a
   * quote.
   */
  at(text: string, ahead = 0): boolean {
    return this.peek(ahead).text === text;
  }

  /** Whether there is no blank between the token `ahead` and the one before it. */
  adjacent(ahead = 0): boolean {
    const index = this.#position + ahead;
    return index > 0 && this.#tokens[index - 1]!.end === this.peek(ahead).start;
  }

  /**
   * Whether a pipeline or the text ends here. At a closing bracket that was never opened,
   * `parseProgram` skips it and continues.
   */
  atEnd(): boolean {
    const token = this.peek();
    return token.kind === 'end' || (token.kind === 'punctuation' && ENDS.has(token.text));
  }

  /** Whether an operator ends here. */
  atOperatorEnd(): boolean {
    return this.at('|') || this.atEnd();
  }

  /**
   * How many tokens after the current one the bracket `ahead` is closed; undefined when it is not.
   */
  closingOf(ahead = 0): number | undefined {
    const index = this.#closingBrackets[this.#position + ahead] ?? -1;
    return index < 0 ? undefined : index - this.#position;
  }

  /** From `start` to the end of the last token taken; empty when none was taken since `start`. */
  spanFrom(start: number): Span {
    return { start: Math.min(start, this.previousEnd), end: this.previousEnd };
  }

  get previousEnd(): number {
    return this.#position === 0 ? 0 : this.#tokens[this.#position - 1]!.end;
  }

  // ------------------------------------------------------------- taking

  take(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#position++;
    return token;
  }

  /** Takes the word or sign if it is next. */
  accept(text: string): Token | undefined {
    return this.at(text) ? this.take() : undefined;
  }

  /** Takes the word or sign, or reports that it was expected. */
  expect(text: string, where: string): Token | undefined {
    const token = this.accept(text);
    if (token === undefined) this.reportUnexpected(`${text} ${where}`);
    return token;
  }

  /** Takes the bracket that is next, or reports that it was expected. */
  open(bracket: '(' | '[' | '{', where: string): Opening | undefined {
    const index = this.#position;
    const token = this.expect(bracket, where);
    return token === undefined ? undefined : { token, closing: this.#closingBrackets[index]! };
  }

  /**
   * Takes the bracket that closes `opening`. If something else is next, reports it and skips past
   * that bracket, if there is one.
   */
  close(opening: Opening): void {
    const { token, closing } = opening;
    const wanted = CLOSING[token.text]!;
    if (this.accept(wanted) !== undefined) return;
    // Finding the line scans the text up to here, so it is done only if the error is reported.
    if (this.#sink.accepts(this.here())) {
      const { line, column } = lineAndColumn(this.text, token.start);
      const replacement = this.peek().kind === 'end' ? wanted : `${wanted} ${this.peek().text}`;
      const fix = { title: `Insert ${wanted}`, replacement };
      this.reportUnexpected(`${wanted} to close the ${token.text} at line ${line}, column ${column}`, fix);
    }
    if (closing >= this.#position) this.#position = closing + 1;
  }

  /** Skips to the next of `stops` outside brackets, at most to the end of the operator. */
  skipTo(...stops: readonly string[]): void {
    while (!this.atOperatorEnd() && !isOneOf(this.peek(), stops)) this.skip();
  }

  /** Skips a token; if it opens a bracket, everything up to and including the closing one. */
  skip(): void {
    const closing = this.closingOf();
    this.#position = Math.min(this.#position + (closing ?? 0) + 1, this.#tokens.length - 1);
  }

  /** Skips to the end of an operator of another language, whose brackets may hold `;`. */
  skipForeign(): void {
    while (!this.atOperatorEnd()) {
      this.#closingForeign ??= matchBrackets(this.#tokens, false);
      const closing = this.#closingForeign[this.#position]!;
      this.#position = Math.max(closing, this.#position) + 1;
    }
  }

  // ------------------------------------------------------------- reporting

  error(span: Span, message: string, fix?: Fix, code?: DiagnosticCode): void {
    this.#sink.error(span, message, fix, code);
  }

  warning(span: Span, message: string, fix?: Fix): void {
    this.#sink.warning(span, message, fix);
  }

  /** Finds the intended candidate; see `DiagnosticSink`. */
  findNearest(written: string, candidates: Iterable<string>): string | undefined {
    return this.#sink.findNearest(written, candidates);
  }

  /**
   * Reports that something else was expected in place of the next token, and what to write if it is
   * valid in another language.
   */
  reportUnexpected(expected: string, fix?: Fix): void {
    const found = `expected ${expected}, but found ${this.describe()}`;
    const advice = this.#besideText() ?? this.#behind() ?? foreignClauses.get(this.peek().text.toLowerCase());
    if (advice === undefined) this.error(this.here(), found, fix);
    else this.error(this.here(), `${found}; ${advice}`);
  }

  /** Suggestion if a string follows a string. */
  #besideText(): string | undefined {
    const { kind, start } = this.peek();
    const quote = this.text[this.previousEnd - 1];
    if (quote !== '"' && quote !== "'") return undefined;
    // Here a quote within the text has ended it.
    if (start === this.previousEnd && (kind === 'string' || kind === 'word' || kind === 'long'))
      return `a quote within a text is written \\${quote}`;
    return kind === 'string' ? 'texts are joined by strcat(a, b)' : undefined;
  }

  /** Suggestion if the previous token does not continue like this. */
  #behind(): string | undefined {
    const { kind, text } = this.peek();
    const before = this.#position === 0 ? undefined : this.#tokens[this.#position - 1];
    if ((before?.kind === 'long' || before?.kind === 'real') && text === '.')
      return 'addresses and versions are texts in quotes: "10.0.0.1"';
    const isDivided = before?.kind === 'long' && text === ',' && this.adjacent() && this.adjacent(1);
    if (isDivided && /^\d{3}$/.test(this.peek(1).text))
      return `nothing divides the digits of a number: ${before.text}${this.peek(1).text}`;
    if (before?.kind !== 'long' && kind === 'timespan') return `bins of time are written bin(_time, ${text})`;
    if (kind === 'word' && before?.kind === 'word' && /^(?:is|to)[a-z0-9]{3,}$/.test(before.text))
      return `a call has brackets: ${before.text}(${text})`;
    return undefined;
  }

  /** The span of the next token; at the end of the text, an empty span after the last token. */
  here(): Span {
    const token = this.peek();
    if (token.kind !== 'end') return { start: token.start, end: token.end };
    return { start: this.previousEnd, end: this.previousEnd };
  }

  /** The next token, as messages name it. */
  describe(): string {
    const token = this.peek();
    if (token.kind === 'end') return 'the end of the query';
    return token.text.length > 40 ? `${token.text.slice(0, 40)}…` : token.text;
  }

  /** An expression that could not be read; its span is empty and follows the last token taken. */
  errorExpr(): ErrorExpr {
    const at = this.previousEnd;
    return { kind: 'error', span: { start: at, end: at } };
  }

  // ------------------------------------------------------------- nesting

  /**
   * Runs a rule one level deeper. If that is too deep, reports it, skips to where the operator ends
   * and returns `otherwise()`.
   */
  withinDepth<T>(rule: () => T, otherwise: () => T): T {
    if (this.#depth >= queryBounds.nesting.max) {
      this.error(
        this.here(),
        `the query nests deeper than ${queryBounds.nesting.max} levels; split it with let or extend`,
        undefined,
        'limit',
      );
      this.skipTo();
      return otherwise();
    }
    this.#depth++;
    try {
      return rule();
    } finally {
      this.#depth--;
    }
  }

  /** Runs a rule with other modes, and then restores the previous ones. */
  withModes<T>(modes: Partial<Pick<Parser, 'inSearch' | 'inDynamic' | 'inLet' | 'textsStandAlone'>>, rule: () => T): T {
    const { inSearch, inDynamic, inLet, textsStandAlone } = this;
    Object.assign(this, modes);
    try {
      return rule();
    } finally {
      Object.assign(this, { inSearch, inDynamic, inLet, textsStandAlone });
    }
  }
}

/** A bracket that was opened and is yet to be closed. */
export interface Opening {
  readonly token: Token;
  /** Index of the token that closes it, -1 when nothing does. */
  readonly closing: number;
}

const ENDS: ReadonlySet<string> = new Set([';', ')', ']', '}']);

const isOneOf = (token: Token, texts: readonly string[]): boolean => texts.includes(token.text);

/**
 * For each opening bracket, the index of its closing one, found once so that recovery never
 * searches. Where a bracket closes, brackets of other kinds opened inside it stay unclosed; a `;`
 * outside braces ends the statement and leaves its brackets unclosed, unless `semicolonEnds` is
 * false.
 */
function matchBrackets(tokens: readonly Token[], semicolonEnds = true): readonly number[] {
  const closing = Array.from<number>({ length: tokens.length }).fill(-1);
  const open: number[] = [];
  const count: Record<string, number> = { ')': 0, ']': 0, '}': 0 };
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'punctuation') continue;
    const wanted = CLOSING[text];
    if (wanted !== undefined) {
      open.push(index);
      count[wanted]!++;
    } else if (text === ';' && semicolonEnds && count['}'] === 0) {
      open.length = 0;
      count[')'] = count[']'] = 0;
    } else if ((count[text] ?? 0) > 0) {
      for (let at = open.pop()!; ; at = open.pop()!) {
        const closes = CLOSING[tokens[at]!.text]!;
        count[closes]!--;
        if (closes !== text) continue;
        closing[at] = index;
        break;
      }
    }
  }
  return closing;
}
