/** Marks around what is to be replaced: noncharacters of Unicode, which no text contains. */
export const OPEN = '\uFDD0';
export const CLOSE = '\uFDD1';

/**
 * Turns the parts of a regular expression outside its groups into groups as well, and makes the replacement that puts everything back,
 * with marks around what the original groups matched. Groups nested in a group become part of it.
 */
export function groupsMarked(regex: string): { readonly regex: string; readonly replacement: string } {
  let out = '';
  let between = '';
  let replacement = '';
  let number = 0;
  const flush = (): void => {
    if (between === '') return;
    out += `(${between})`;
    replacement += `\\${++number}`;
    between = '';
  };
  for (let i = 0; i < regex.length;) {
    if (regex[i] === '(' && isCapturing(regex, i)) {
      flush();
      const end = closing(regex, i);
      const inner = regex
        .slice(i, end - 1)
        .replace(/^\((\?P?<[^>]*>)?/, '')
        .replace(/(?<!\\)\((?!\?)/g, '(?:');
      // A repeated group holds only its last repetition, so the repeat is moved inside.
      const repeat = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(regex.slice(end))?.[0] ?? '';
      out += repeat === '' ? `(${inner})` : `((?:${inner})${repeat})`;
      replacement += `${OPEN}\\${++number}${CLOSE}`;
      i = end + repeat.length;
      continue;
    }
    const length = pieceLength(regex, i);
    between += regex.slice(i, i + length);
    i += length;
  }
  flush();
  // A replacement can refer to nine groups only. With more, or with no groups at all, the whole match is redacted.
  if (number > 9 || !replacement.includes(OPEN)) return { regex: `(${regex})`, replacement: `${OPEN}\\1${CLOSE}` };
  return { regex: out, replacement };
}

const isCapturing = (regex: string, at: number): boolean =>
  regex[at + 1] !== '?' || /^\(\?P?<[^=!]/.test(regex.slice(at, at + 5));

/** Length of an escape, a set, a non-capturing group or a single character. */
function pieceLength(regex: string, at: number): number {
  if (regex[at] === '\\') return 2;
  if (regex[at] === '[') return setLength(regex, at);
  return regex[at] === '(' ? closing(regex, at) - at : 1;
}

function setLength(regex: string, at: number): number {
  let i = at + 1;
  if (regex[i] === '^') i++;
  if (regex[i] === ']') i++;
  while (i < regex.length && regex[i] !== ']') i += regex[i] === '\\' ? 2 : 1;
  return i + 1 - at;
}

/** The position just after the parenthesis that closes the one at `at`. */
function closing(regex: string, at: number): number {
  let depth = 0;
  for (let i = at; i < regex.length;) {
    if (regex[i] === '\\') i += 2;
    else if (regex[i] === '[') i += setLength(regex, i);
    else {
      if (regex[i] === '(') depth++;
      if (regex[i] === ')' && --depth === 0) return i + 1;
      i++;
    }
  }
  return regex.length;
}
