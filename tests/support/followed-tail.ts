import { request, type ServerProcess } from './server-process.ts';

/** Returns the watermark of a dataset. */
export async function watermarkOf(server: ServerProcess, dataset: string): Promise<string> {
  const body = JSON.stringify({ apl: `['${dataset}'] | count` });
  const { headers } = await request(server, '/v1/datasets/_apl?format=tabular', { body });
  return headers.get('x-millrace-settled')!;
}

/** Events received by a tail so far. */
export function follow(server: ServerProcess, dataset: string, after: string) {
  const ended = new AbortController();
  const found = { ids: [] as number[], positions: [] as string[], end: () => ended.abort() };
  const read = async (): Promise<void> => {
    const { body } = await fetch(`${server.url}/v1/tail`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ apl: `['${dataset}']`, after }),
      signal: ended.signal,
    });
    let text = '';
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      const lines = (text + chunk).split('\n');
      text = lines.pop()!;
      for (const line of lines) {
        const { event, position } = JSON.parse(line) as { event?: { id: number }; position?: string };
        if (event !== undefined) found.ids.push(event.id);
        if (position !== undefined) found.positions.push(position);
      }
    }
  };
  read().catch(() => undefined);
  return found;
}
