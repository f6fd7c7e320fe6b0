import { expect, it } from 'vitest';
import { proxy } from './proxy.js';

const version = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

interface SentMessage {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Runs the proxy over some messages; returns what was sent and written. */
async function runProxy(
  messages: readonly (object | string)[],
  answer: (sent: SentMessage) => Response | Promise<Response>,
) {
  const sent: SentMessage[] = [];
  const written: unknown[] = [];
  const post = async (_path: string, text: string, { headers, signal }: Pick<RequestInit, 'headers' | 'signal'>) => {
    const one = { text, headers: headers as SentMessage['headers'], signal: signal! };
    sent.push(one);
    return answer(one);
  };
  async function* lines() {
    for (const message of messages) {
      yield typeof message === 'string' ? message : JSON.stringify(message);
      await new Promise(setImmediate);
    }
  }
  await proxy({ post }, { lines: lines(), write: async (line) => void written.push(JSON.parse(line)) });
  return { sent, written };
}

const reply = (id: number, result: object) => ({ jsonrpc: '2.0', id, result });

it('passes messages on, and remembers the version of the handshake', async () => {
  const begun = reply(1, { protocolVersion: '2025-11-25' });
  const { sent, written } = await runProxy(
    [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ],
    ({ text }) =>
      text.includes('"initialize"')
        ? new Response(`event: message\ndata: ${JSON.stringify(begun)}\n\n`, {
            headers: { 'content-type': 'text/event-stream' },
          })
        : new Response(null, { status: 202 }),
  );
  expect(written).toEqual([begun]);
  expect(sent.map(({ headers }) => headers)).toEqual([{}, { 'mcp-protocol-version': '2025-11-25' }]);
});

it('repeats the version, the method and the name that a message has', async () => {
  const call = (name: string) => ({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, _meta: version } });
  const { sent } = await runProxy([call('query'), call('größe')], () => Response.json(reply(2, {})));
  expect(sent.map(({ headers }) => headers)).toEqual([
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'query' },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': '=?base64?Z3LDtsOfZQ==?=' },
  ]);
});

it('answers errors of the server and lines that are no messages', async () => {
  const { written } = await runProxy([{ jsonrpc: '2.0', id: 3, method: 'ping' }, '{'], () =>
    Response.json({ code: 'unauthenticated', message: 'unknown token' }, { status: 401 }),
  );
  expect(written).toEqual([
    { jsonrpc: '2.0', id: 3, error: { code: -32_000, message: 'unknown token' } },
    { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'not JSON' } },
  ]);
});

it('stops a request that is canceled, and writes nothing for it', async () => {
  const { sent, written } = await runProxy(
    [
      { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'query' } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } },
    ],
    ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })),
  );
  expect(sent).toHaveLength(1);
  expect(sent[0]!.signal.aborted).toBe(true);
  expect(written).toEqual([]);
});
