/** Measures, escapes and shortens text for terminals. */

/** Two columns wide: East Asian wide and fullwidth forms, and emoji. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1F64F}\u{1F900}-\u{1F9FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;
/** Zero columns wide: combining or invisible. */
const zero = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const plain = /^[\u0020-\u007E]*$/;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function graphemeWidth(segment: string): number {
  if (zero.test(segment)) return 0;
  return wide.test(segment) ? 2 : 1;
}

/** Terminal columns of a text. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** Truncates to `columns` columns with an ellipsis. */
export function cut(text: string, columns: number): string {
  // Bounds the work for very long text.
  const head = text.length > columns * 8 + 64 ? text.slice(0, columns * 8 + 64) : text;
  if (head.length === text.length && widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of graphemes.segment(head)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Preferred break points: after these characters. */
const breaks = /[\s,;:+/|.]/;

/** Wraps text to `columns` columns: after spaces and punctuation if possible. */
export function wrapText(text: string, columns: number): readonly string[] {
  if (widthOf(text) <= columns) return [text];
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    const next = graphemeWidth(segment);
    if (width + next > columns && line !== '') {
      const at = segment === ' ' ? line.length : lastBreak(line);
      lines.push(line.slice(0, at).trimEnd());
      line = line.slice(at).trimStart();
      width = widthOf(line);
      if (line === '' && segment === ' ') continue;
    }
    line += segment;
    width += next;
  }
  return line === '' ? lines : [...lines, line];
}

/** Length up to the last break point, or the whole line. */
function lastBreak(line: string): number {
  for (let at = line.length; at > 0; at--) if (breaks.test(line[at - 1]!)) return at;
  return line.length;
}

/**
 * Escapes characters in untrusted events that could move the cursor, set colors, hide text or, like
 * bidirectional overrides, reorder it.
 */
export const escapeControls = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029]/gu, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    if (character === '\r') return '\\r';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
