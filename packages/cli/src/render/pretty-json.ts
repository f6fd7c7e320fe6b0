/** Strings, brackets with what separates, and numbers or words. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** JSON in lines, for people and for git. Numbers and strings stay as they are spelled. */
export function prettyJson(text: string): string {
  let depth = 0;
  let before = '';
  const pieces: string[] = [];
  const newLine = (): number => pieces.push(`\n${'  '.repeat(depth)}`);
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']';
    if (closes) depth--;
    // Nothing stands in an empty one.
    const isEmpty = closes && (before === '{' || before === '[');
    const begins = before === '{' || before === '[' || before === ',';
    if ((closes || begins) && !isEmpty) newLine();
    pieces.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth++;
    before = token;
  }
  return pieces.join('');
}
