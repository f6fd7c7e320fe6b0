import { LINE_BREAK } from '../syntax/lexing/line-breaks.js';
import type { Token } from '../syntax/lexing/tokens.js';

/** The comments and empty lines before a token. */
export interface Lead {
  readonly comments: readonly Comment[];
  /** Whether an empty line comes before the first comment, or before the token if there is none. */
  readonly apart: boolean;
}

interface Comment {
  readonly text: string;
  /** Whether it is alone on its line; otherwise it follows the previous token on its line. */
  readonly ownLine: boolean;
}

/** For each token of a text, the comments between it and the previous one. */
export function leadsOf(text: string, tokens: readonly Token[]): readonly Lead[] {
  let end = 0;
  return tokens.map((token): Lead => {
    const gap = text.slice(end, token.start);
    const isFirst = end === 0;
    end = token.end;
    return leadOf(gap, isFirst);
  });
}

function leadOf(gap: string, isFirst: boolean): Lead {
  const comments: Comment[] = [];
  const lines = gap.split(LINE_BREAK);
  for (const [line, written] of lines.entries()) {
    const begin = written.indexOf('//');
    if (begin >= 0) comments.push({ text: written.slice(begin).trimEnd(), ownLine: isFirst || line > 0 });
  }
  const next = comments.length > 0 ? lines.findIndex((line) => line.includes('//')) : lines.length - 1;
  const apart = !isFirst && lines.slice(1, Math.max(1, next)).some((line) => line.trim() === '');
  return { comments, apart };
}
