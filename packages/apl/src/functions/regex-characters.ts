import { RegexProblem } from './regex-problem.js';
import { isUnicodeClass } from './unicode-classes.js';

/**
 * The parts of a regular expression that match one character of a set: escapes and sets.
 *
 *     escape = "\p{" name "}" | "\P{" name "}" | "\x" hex hex | "\x{" hexes "}" | "\" octals | "\d" … "\W" | "\a" … "\v" | "\" sign
 *     set    = "[" [ "^" ] member { member } "]" ;   member = char | escape | "[:" name ":]" | char "-" char
 */
export interface Characters {
  /** How much of the text it takes. */
  readonly length: number;
  /** Compiled size in instructions, roughly. */
  readonly size: number;
  /** The character, if it is exactly one. */
  readonly code?: number;
}

const ONE_SIZE = 2;
const SOME_SIZE = 20;
/** A Unicode class is a set of many ranges, and smaller within another set. */
const UNICODE_SIZE = 400;
const UNICODE_SIZE_IN_SET = 20;

/** Reads the escape at the start of the text, outside or inside a set. */
export function readEscape(text: string): Characters {
  const property = /^\\[pP](?:\{\^?([A-Za-z_]+)\}|([A-Z]))/.exec(text);
  if (property !== null) {
    const name = property[1] ?? property[2] ?? '';
    if (!isUnicodeClass(name))
      throw new RegexProblem(
        `\\p{${name}} is no class of characters; there are categories such as Lu and scripts such as Greek`,
      );
    return { length: property[0].length, size: UNICODE_SIZE };
  }
  const number = /^\\(?:x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,6})\}|(0[0-7]{0,2}|[1-7][0-7]{1,2}))/.exec(text);
  if (number !== null) {
    const code = number[3] === undefined ? parseInt(number[1] ?? number[2]!, 16) : parseInt(number[3], 8);
    if (code > 0x10ffff) throw new RegexProblem(`${number[0]} is no character`);
    return { length: number[0].length, size: ONE_SIZE, code };
  }
  if (/^\\[1-9]/.test(text)) throw new RegexProblem(`no back-references (${text.slice(0, 2)})`);
  if (/^\\[dDsSwW]/.test(text)) return { length: 2, size: SOME_SIZE };
  const plain = /^\\([aftnrv]|[ -/:-@[-`{-~])/.exec(text);
  if (plain === null) throw new RegexProblem(`${text.slice(0, 2)} is no escape`);
  return { length: 2, size: ONE_SIZE, code: controls[plain[1]!] ?? plain[1]!.codePointAt(0)! };
}

const controls: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Reads the set at the start of the text. */
export function readSet(text: string): Characters {
  let at = text.startsWith('[^') ? 2 : 1;
  let size = 4;
  for (let first = true; first || text[at] !== ']'; first = false) {
    if (at >= text.length) throw new RegexProblem('a [ has no ]');
    const start = at;
    const from = readMember(text.slice(at));
    at += from.length;
    size += from.size;
    if (text[at] !== '-' || text[at + 1] === ']' || at + 1 >= text.length || from.code === undefined) continue;
    const to = readMember(text.slice(at + 1));
    at += 1 + to.length;
    if (to.code === undefined || to.code < from.code)
      throw new RegexProblem(`${text.slice(start, at)} is no range of characters`);
  }
  return { length: at + 1, size };
}

/** Reads a member of a set, or the first character of a range. */
function readMember(text: string): Characters {
  const posix = /^\[:\^?([a-z]+):\]/.exec(text);
  if (posix !== null) {
    if (!posixClasses.has(posix[1]!)) throw new RegexProblem(`${posix[0]} is no class of characters`);
    return { length: posix[0].length, size: UNICODE_SIZE_IN_SET };
  }
  if (text.startsWith('\\')) {
    if (text.length < 2) throw new RegexProblem('a \\ stands at the end');
    const { length, code } = readEscape(text);
    return code === undefined ? { length, size: UNICODE_SIZE_IN_SET } : { length, size: ONE_SIZE, code };
  }
  const code = text.codePointAt(0)!;
  return { length: String.fromCodePoint(code).length, size: ONE_SIZE, code };
}

const posixClasses = new Set(
  'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' '),
);
