import type { Program } from '../syntax/ast.js';
import type { Token } from '../syntax/lexing/tokens.js';
import { leadsOf } from './comments.js';
import type { Lead } from './comments.js';
import { spacingOf } from './spacing.js';

/** Columns of the longest line; longer ones are broken where possible. */
const WIDTH = 100;
const INDENT = 4;

/** The index of a token, or a pair of brackets with its contents. */
type Item = number | { readonly open: number; readonly items: readonly Item[]; readonly close: number };

/**
 * Lays out the tokens of a text without errors: one operator per line, long lists and brackets
 * broken across lines.
 */
export function layout(text: string, program: Program, tokens: readonly Token[]): string {
  const writer = new Writer(text, program, tokens);
  for (const statement of split(groups(tokens), (index) => tokens[index]!.text === ';')) writer.statement(statement);
  return writer.finish();
}

/**
 * Groups the tokens into items, one per pair of brackets. In a text without errors, brackets match.
 */
function groups(tokens: readonly Token[]): readonly Item[] {
  const stack: { readonly open: number; readonly items: Item[] }[] = [{ open: -1, items: [] }];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind === 'end') break;
    const sign = kind === 'punctuation' ? text : '';
    if ('([{'.includes(sign) && sign !== '') stack.push({ open: index, items: [] });
    else if (')]}'.includes(sign) && sign !== '' && stack.length > 1) {
      const group = stack.pop()!;
      stack.at(-1)!.items.push({ ...group, close: index });
    } else stack.at(-1)!.items.push(index);
  }
  return stack[0]!.items;
}

/** Splits the items after each token for which `isEnd` holds. */
function split(items: readonly Item[], isEnd: (index: number) => boolean): readonly (readonly Item[])[] {
  const parts: Item[][] = [[]];
  for (const item of items) {
    parts.at(-1)!.push(item);
    if (typeof item === 'number' && isEnd(item)) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

class Writer {
  readonly #tokens: readonly Token[];
  readonly #leads: readonly Lead[];
  readonly #isSpaced: (index: number) => boolean;
  #text = '';
  /** Indent of the line that begins with the next token; undefined in the middle of a line. */
  #break: number | undefined = 0;

  constructor(text: string, program: Program, tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#leads = leadsOf(text, tokens);
    this.#isSpaced = spacingOf(program, tokens);
  }

  /** A statement or the query, up to its `;`. */
  statement(items: readonly Item[]): void {
    this.#break = 0;
    const first = firstOf(items[0]!);
    if (this.#leads[first]!.apart && this.#text !== '') this.#text += '\n';
    const isLet = this.#tokens[first]!.text === 'let';
    this.#pipeline(items, isLet ? INDENT : 0);
    this.#break = 0;
  }

  /**
   * Completes the text and returns it. Comments at its end belong to the last token, which is
   * empty.
   */
  finish(): string {
    this.#comments(this.#tokens.length - 1, 0);
    return this.#text === '' ? '' : `${this.#text}\n`;
  }

  /** One operator per line. */
  #pipeline(items: readonly Item[], indent: number): void {
    let step: Item[] = [];
    const finish = (): void => {
      if (step.length > 0) this.#step(step, indent);
      step = [];
    };
    for (const item of items) {
      if (typeof item === 'number' && this.#tokens[item]!.text === '|') {
        finish();
        this.#break = indent;
      }
      step.push(item);
    }
    finish();
  }

  #step(items: readonly Item[], indent: number): void {
    // The first token of a line has no blank before it.
    const blank = this.#break !== undefined && this.#isSpaced(firstOf(items[0]!)) ? 1 : 0;
    const isLong = indent + this.#width(items) - blank > WIDTH || this.#isCommented(items, true);
    for (const item of items) {
      if (typeof item === 'number') {
        this.#token(item, indent + INDENT);
        if (isLong && this.#tokens[item]!.text === ',') this.#break = indent + INDENT;
      } else this.#group(item, isLong && this.#lineIndent() > indent ? indent + INDENT : indent);
    }
  }

  /** Prints the group on one line if it fits, otherwise its contents on separate lines. */
  #group(group: Exclude<Item, number>, indent: number): void {
    const { open, items, close } = group;
    const isCommented = this.#isCommented([group], true);
    const fits = this.#column() + this.#width([group]) <= WIDTH && !isCommented;
    const holds = (sign: string): boolean =>
      items.some((item) => typeof item === 'number' && this.#tokens[item]!.text === sign);
    this.#token(open, indent + INDENT);
    if (fits) for (const item of items) this.#flat(item);
    else if (!isCommented && !holds(',') && !holds('|')) this.#step(items, indent);
    else {
      this.#break = indent + INDENT;
      if (holds('|')) this.#pipeline(items, indent + INDENT);
      else
        for (const part of split(items, (index) => this.#tokens[index]!.text === ',')) {
          this.#break = indent + INDENT;
          this.#step(part, indent + INDENT);
        }
      this.#break = indent;
    }
    this.#token(close, indent);
  }

  #flat(item: Item): void {
    if (typeof item === 'number') return this.#token(item, 0);
    this.#token(item.open, 0);
    for (const inner of item.items) this.#flat(inner);
    this.#token(item.close, 0);
  }

  /**
   * Writes a token after its comments; if there are any, the token begins a line, indented by
   * `indent` unless a break is set.
   */
  #token(index: number, indent: number): void {
    this.#comments(index, indent);
    const { text } = this.#tokens[index]!;
    if (this.#break !== undefined) this.#text += (this.#text === '' ? '' : '\n') + ' '.repeat(this.#break) + text;
    else this.#text += (this.#isSpaced(index) ? ' ' : '') + text;
    this.#break = undefined;
  }

  #comments(index: number, indent: number): void {
    for (const { text, ownLine } of this.#leads[index]!.comments) {
      this.#break ??= indent;
      if (ownLine) this.#text += (this.#text === '' ? '' : '\n') + ' '.repeat(this.#break);
      else if (this.#text !== '') this.#text += ' ';
      this.#text += text;
    }
  }

  #column(): number {
    return this.#break ?? this.#text.length - this.#text.lastIndexOf('\n');
  }

  #lineIndent(): number {
    return this.#text.slice(this.#text.lastIndexOf('\n') + 1).search(/\S|$/);
  }

  /** How many columns the items take on one line. */
  #width(items: readonly Item[]): number {
    let width = 0;
    for (const item of items) {
      if (typeof item === 'number') width += this.#tokens[item]!.text.length + (this.#isSpaced(item) ? 1 : 0);
      else width += this.#width([item.open, ...item.items, item.close]);
    }
    return width;
  }

  /**
   * Whether there is a comment among the items; with `isFirst`, one before the first of them does
   * not count.
   */
  #isCommented(items: readonly Item[], isFirst: boolean): boolean {
    return items.some((item, index) => {
      const skip = isFirst && index === 0;
      if (typeof item === 'number') return !skip && this.#leads[item]!.comments.length > 0;
      return this.#isCommented([item.open, ...item.items, item.close], skip);
    });
  }
}

const firstOf = (item: Item): number => (typeof item === 'number' ? item : item.open);
