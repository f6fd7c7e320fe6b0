import type { Client } from '../connection/client.js';
import { messageOf } from '../system-errors.js';
import { messagesIn } from './messages-in.js';
import { type Message, protocolHeaders } from './protocol-headers.js';

/** MCP over standard input and output: each line is a message and becomes a request to `/mcp`. */

interface Streams {
  readonly lines: AsyncIterable<string>;
  /** Writes one line. */
  write(line: string): Promise<void>;
}

/** Passes messages on until the input ends and every request has its response. */
export async function proxy(client: Pick<Client, 'post'>, { lines, write }: Streams): Promise<void> {
  const running = new Map<string, AbortController>();
  const open = new Set<Promise<void>>();
  let version: string | undefined;
  const pass = async (message: Message, text: string): Promise<void> => {
    const key = JSON.stringify(message.id ?? null);
    const abort = new AbortController();
    if (message.id !== undefined) running.set(key, abort);
    try {
      const answer = await client.post('/mcp', text, {
        headers: protocolHeaders(message, version),
        signal: abort.signal,
      });
      for (const reply of messagesIn(answer.headers.get('content-type') ?? '', await answer.text())) {
        const found = reply as { readonly jsonrpc?: unknown; readonly message?: unknown } & InitializeReply;
        if (message.method === 'initialize') version = found.result?.protocolVersion ?? version;
        // Errors of the server itself, such as an invalid token, are no messages.
        if (found.jsonrpc === undefined) await fail(message, String(found.message ?? `status ${answer.status}`));
        else await write(JSON.stringify(reply));
      }
    } catch (error) {
      // A canceled request gets no response.
      if (!abort.signal.aborted) await fail(message, messageOf(error));
    } finally {
      running.delete(key);
    }
  };
  const fail = async ({ id }: Message, text: string): Promise<void> => {
    if (id !== undefined)
      await write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: serverError, message: text } }));
  };
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const message = messageIn(line);
    if (message === undefined) {
      await write(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: parseError, message: 'not JSON' } }));
      continue;
    }
    if (message.method === 'notifications/cancelled') {
      running.get(JSON.stringify(message.params?.requestId ?? null))?.abort();
      continue;
    }
    const passing = pass(message, line).finally(() => open.delete(passing));
    open.add(passing);
  }
  await Promise.all(open);
}

interface InitializeReply {
  readonly result?: { readonly protocolVersion?: string };
}

const parseError = -32_700;
const serverError = -32_000;

function messageIn(line: string): Message | undefined {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}
