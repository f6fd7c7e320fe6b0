const newline = 0x0a;
const carriageReturn = 0x0d;
const brace = 0x7b;

/** Converts lines to NDJSON: an object stays as it is, other text becomes its `message`. */
export function lineEvents(text: Buffer): Buffer {
  const events: string[] = [];
  for (let start = 0; start < text.length;) {
    const found = text.indexOf(newline, start);
    const next = found < 0 ? text.length : found;
    const end = next > start && text[next - 1] === carriageReturn ? next - 1 : next;
    if (end > start) events.push(eventOf(text.toString('utf8', start, end), text[start] === brace));
    start = next + 1;
  }
  return Buffer.from(events.map((event) => `${event}\n`).join(''));
}

function eventOf(line: string, maybeObject: boolean): string {
  if (maybeObject && isJson(line)) return line;
  return JSON.stringify({ message: line });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
