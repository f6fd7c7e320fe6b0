import { expect } from 'vitest';
import { request, type ServerProcess } from './server-process.ts';

export interface Tabular {
  readonly tables: readonly {
    readonly fields: readonly { readonly name: string; readonly type: string }[];
    readonly columns: readonly unknown[][];
  }[];
  readonly status: { readonly rowsMatched: number; readonly minCursor?: string; readonly maxCursor?: string };
}

/** Where a server is, and the token of its owner. */
export type Address = Pick<ServerProcess, 'url' | 'token'>;

/** Runs a query that must succeed. */
export async function apl(server: Address, query: string, more: object = {}): Promise<Tabular> {
  const answer = await request(server, '/v1/datasets/_apl?format=tabular', {
    body: JSON.stringify({ apl: query, ...more }),
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Tabular;
}

/** The first cell of the first table. */
export const cell = async (server: Address, query: string): Promise<unknown> =>
  (await apl(server, query)).tables[0]?.columns[0]?.[0];

export const createDataset = (server: Address, name: string) =>
  request(server, '/v2/datasets', { body: JSON.stringify({ name }) });

export const send = (
  server: Address,
  dataset: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => request(server, `/v1/datasets/${dataset}/ingest`, { body, headers });
