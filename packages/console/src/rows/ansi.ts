/** ANSI colors in text: shows colors and strips other escapes. */

interface StyledSpan {
  readonly text: string;
  readonly color?: string;
  readonly bold?: boolean;
}

// eslint-disable-next-line no-control-regex -- matches escape sequences
const ESCAPE = /\u001b(?:\[([\d;]*)([A-Za-z])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

const COLORS = ['text3', 'red', 'green', 'amber', 'blue', 'violet', 'accent', 'text1'];

export function styledText(text: string): readonly StyledSpan[] {
  if (!text.includes('\u001b')) return [{ text }];
  const parts: StyledSpan[] = [];
  let style: Omit<StyledSpan, 'text'> = {};
  let at = 0;
  for (const { 0: all, 1: codes = '', 2: kind, index } of text.matchAll(ESCAPE)) {
    if (index > at) parts.push({ text: text.slice(at, index), ...style });
    at = index + all.length;
    if (kind === 'm') for (const code of codes.split(';')) style = styleAfter(style, Number(code));
  }
  if (at < text.length) parts.push({ text: text.slice(at), ...style });
  return parts;
}

function styleAfter(style: Omit<StyledSpan, 'text'>, code: number): Omit<StyledSpan, 'text'> {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  const color = COLORS[code >= 90 && code <= 97 ? code - 90 : code - 30];
  if (color !== undefined) return { ...style, color };
  const { color: _, ...rest } = style;
  return code === 39 ? rest : style;
}
