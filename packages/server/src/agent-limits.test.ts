import { expect, test } from 'vitest';
import { openEngineTestServer } from './testing/engine-test-server.js';

test('rows, cells and bytes of a result for an agent are limited by settings', async () => {
  const world = await openEngineTestServer({ mcpMaxRows: 4, mcpCellCharacters: 20, mcpAnswerBytes: 100 });
  try {
    await world.dataset(
      'logs',
      Array.from({ length: 6 }, (_, n) => ({ n, long: `${n}${'x'.repeat(50)}` })),
    );
    const rowsOf = async (apl: string): Promise<readonly string[]> => {
      const { text } = await world.send('POST', '/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'query', arguments: { apl, maxRows: 100 } },
      });
      // The response is a stream with one event.
      const { result } = JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text) as {
        readonly result: { readonly content: readonly [{ readonly text: string }] };
      };
      return result.content[0].text.split('\n').filter((line) => /^\d(x|$)/.test(line));
    };
    expect(await rowsOf('logs | sort by n asc | project n')).toEqual(['0', '1', '2', '3']);
    const cells = await rowsOf('logs | sort by n asc | project long');
    expect(cells).toEqual([0, 1, 2].map((n) => `${n}${'x'.repeat(19)}…[+31]`));
  } finally {
    await world.close();
  }
});
