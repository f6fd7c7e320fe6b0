import { createContext, useContext } from 'react';

/** Words that somebody wants to see at once, each in a colour of its own. */

/** There are as many colours. */
export const MOST_MARKS = 5;

const Marks = createContext<readonly string[]>([]);

/** Highlights words in all texts below it. */
export const MarkWords = Marks;
export const useMarks = (): readonly string[] => useContext(Marks);

interface Marked {
  readonly text: string;
  /** Number of the word, from 0; undefined for what is between them. */
  readonly mark: number | undefined;
}

/**
 * A text in parts; of words that overlap the first one in the text counts, and of two that begin
 * together the longer.
 */
export function markedParts(text: string, words: readonly string[]): readonly Marked[] {
  const wanted = words.slice(0, MOST_MARKS).map((word) => word.toLowerCase());
  const lower = text.toLowerCase();
  // Letters that change their length with their case would be cut apart.
  if (lower.length !== text.length) return [{ text, mark: undefined }];
  const parts: Marked[] = [];
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
