import { TranslationError } from './translation-error.js';

/** A token of SQL or SPL. `text` of names and strings is without quotes. */
interface Token {
  readonly kind: 'name' | 'quoted-name' | 'string' | 'number' | 'sign' | 'end';
  readonly text: string;
  readonly start: number;
}

/** How a language writes strings and names. */
interface Quotes {
  readonly strings: string;
  readonly names: string;
}

const SPACE = /(?:\s|--[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const NAME = /[\p{L}_@$][\p{L}\p{N}_@$]*(?:[.:](?=[\p{L}_])(?!:)[\p{L}\p{N}_@$]+)*/uy;
/** A number with a unit, such as `5m`. */
const AMOUNT = /\d+[a-z]+(?![\w.])/y;
const SIGN = /->>|->|::|<=|>=|<>|!=|==|!~|\|\||&&|[-+*/%=<>(),.;|~[\]]/y;

/** @throws TranslationError for other characters */
function tokensIn(text: string, quotes: Quotes): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const add = (kind: Token['kind'], written: string, value = written): void => {
    tokens.push({ kind, text: value, start: at });
    at += written.length;
  };
  for (;;) {
    at += take(SPACE)?.length ?? 0;
    if (at >= text.length) return [...tokens, { kind: 'end', text: '', start: at }];
    const letter = text[at]!;
    if (quotes.strings.includes(letter) || quotes.names.includes(letter)) {
      const written = take(quotedBy(letter));
      if (written === undefined) throw new TranslationError(text.slice(at, at + 40));
      const value = written.slice(1, -1).replaceAll(letter + letter, letter);
      const isString = quotes.strings.includes(letter);
      add(isString ? 'string' : 'quoted-name', written, isString ? value.replaceAll(/\\(["'\\])/g, '$1') : value);
      continue;
    }
    const number = take(NUMBER);
    const name = number === undefined ? (take(NAME) ?? take(AMOUNT)) : undefined;
    const sign = number ?? name ?? take(SIGN);
    if (sign === undefined) throw new TranslationError(text.slice(at, at + 40));
    add(number !== undefined ? 'number' : name !== undefined ? 'name' : 'sign', sign);
  }
}

const quotedBy = (letter: string): RegExp =>
  letter === '['
    ? /\[[^\]]*\]/y
    : new RegExp(`${letter}(?:[^${letter}\\\\]|\\\\[\\s\\S]|${letter}${letter})*${letter}`, 'y');

/** Reads tokens one after the other; words are compared without case. */
export class TokenReader {
  readonly text: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string, quotes: Quotes) {
    this.text = text;
    this.#tokens = tokensIn(text, quotes);
  }

  get next(): Token {
    return this.#tokens[this.#at]!;
  }

  peek(ahead: number): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  take(): Token {
    const token = this.next;
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  /** Whether words or signs come next, one after the other. */
  at(...words: readonly string[]): boolean {
    return words.every((word, n) => {
      const { kind, text } = this.peek(n);
      return (kind === 'name' || kind === 'sign') && text.toLowerCase() === word;
    });
  }

  /** Takes words or signs if they come next. */
  accept(...words: readonly string[]): boolean {
    if (!this.at(...words)) return false;
    this.#at += words.length;
    return true;
  }

  /** The first of several words or signs that comes next. */
  acceptAny(words: readonly string[]): string | undefined {
    return words.find((word) => this.accept(...word.split(' ')));
  }

  expect(...words: readonly string[]): void {
    if (!this.accept(...words)) this.fail();
  }

  takeKind(...kinds: readonly Token['kind'][]): Token {
    return kinds.includes(this.next.kind) ? this.take() : this.fail();
  }

  /** A name with its qualifiers: `public."logs"`. */
  takeName(): string {
    let name = this.takeKind('name', 'quoted-name').text;
    while (this.accept('.')) name += `.${this.takeKind('name', 'quoted-name').text}`;
    return name;
  }

  /** @throws TranslationError at the next token */
  fail(): never {
    return this.failAt(this.next);
  }

  /** @throws TranslationError at a token */
  failAt({ start }: Token): never {
    const part = this.text
      .slice(start, start + 40)
      .replaceAll(/\s+/g, ' ')
      .trim();
    return this.failAs(part === '' ? 'the end of the query' : part);
  }

  /** @throws TranslationError with a reason */
  failAs(reason: string): never {
    throw new TranslationError(reason);
  }
}
