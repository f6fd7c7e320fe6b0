import { createContext, useContext } from 'react';

/** Highlighted words, each in its own color. */

/** Number of colors. */
export const MAX_MARKS = 5;

const Marks = createContext<readonly string[]>([]);

/** Highlights words in all texts below it. */
export const HighlightTerms = Marks;
export const useMarks = (): readonly string[] => useContext(Marks);

interface HighlightPart {
  readonly text: string;
  /** Index of the word, from 0; undefined between matches. */
  readonly mark: number | undefined;
}

/**
 * Splits a text at matches; the first of overlapping matches wins, and the longest of those at the
 * same position.
 */
export function highlightParts(text: string, words: readonly string[]): readonly HighlightPart[] {
  const wanted = words.slice(0, MAX_MARKS).map((word) => word.toLowerCase());
  const lower = text.toLowerCase();
  // Case mapping can change the length of characters.
  if (lower.length !== text.length) return [{ text, mark: undefined }];
  const parts: HighlightPart[] = [];
  let at = 0;
  for (;;) {
    let next: { readonly start: number; readonly mark: number } | undefined;
    for (const [mark, word] of wanted.entries()) {
      const start = word === '' ? -1 : lower.indexOf(word, at);
      if (start < 0) continue;
      const isFirst = next === undefined || start < next.start;
      if (isFirst || (start === next!.start && word.length > wanted[next!.mark]!.length)) next = { start, mark };
    }
    if (next === undefined) break;
    if (next.start > at) parts.push({ text: text.slice(at, next.start), mark: undefined });
    at = next.start + wanted[next.mark]!.length;
    parts.push({ text: text.slice(next.start, at), mark: next.mark });
  }
  if (at < text.length) parts.push({ text: text.slice(at), mark: undefined });
  return parts;
}
