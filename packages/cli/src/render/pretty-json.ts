/** Strings, punctuation, and numbers or keywords. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Indents JSON. Numbers and strings keep their spelling. */
export function prettyJson(text: string): string {
  let depth = 0;
  let before = '';
  const pieces: string[] = [];
  const newLine = (): number => pieces.push(`\n${'  '.repeat(depth)}`);
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']';
    if (closes) depth--;
    // An empty array or object stays on one line.
    const isEmpty = closes && (before === '{' || before === '[');
    const begins = before === '{' || before === '[' || before === ',';
    if ((closes || begins) && !isEmpty) newLine();
    pieces.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth++;
    before = token;
  }
  return pieces.join('');
}
