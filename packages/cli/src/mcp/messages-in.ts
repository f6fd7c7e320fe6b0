/**
 * The messages in a response: one as JSON, or several as server-sent events. Empty for a
 * notification, which gets none.
 * @throws SyntaxError if the response is not of an MCP server
 */
export function messagesIn(mediaType: string, text: string): readonly unknown[] {
  if (text.trim() === '') return [];
  if (!mediaType.startsWith('text/event-stream')) return [JSON.parse(text) as unknown];
  return text
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trimStart()] : []))
        .join('\n'),
    )
    .filter((data) => data !== '')
    .map((data) => JSON.parse(data) as unknown);
}
