import { AxiomWithoutBatching } from '@axiomhq/js';
import type { ServerProcess } from '../../support/server-process.ts';

/** Response that a client got; status 0 if none. */
export interface ClientResponse {
  readonly status: number;
  readonly body: unknown;
}

const patience = 30_000;

export async function ask(
  { url, token }: Pick<ServerProcess, 'url' | 'token'>,
  path: string,
  { method, body, headers = {} }: { method?: string; body?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<ClientResponse> {
  try {
    const answer = await fetch(url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(patience),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  } catch {
    return { status: 0, body: undefined };
  }
}

/** The columns of a result; undefined, with the status, if there is none. */
export async function query(
  node: ServerProcess,
  apl: string,
): Promise<{ readonly status: number; readonly columns?: readonly (readonly unknown[])[] }> {
  const { status, body } = await ask(node, '/v1/datasets/_apl?format=tabular', { body: JSON.stringify({ apl }) });
  if (status !== 200) return { status };
  const { tables, status: said } = body as {
    readonly tables: readonly { readonly columns: readonly (readonly unknown[])[] }[];
    readonly status: { readonly isPartial?: boolean };
  };
  if (said.isPartial === true) return { status: 503 };
  return { status, columns: tables[0]?.columns ?? [] };
}

/** Official JavaScript clients, by the address of their node. */
const sdks = new Map<string, AxiomWithoutBatching>();

/** Sends events as the official JavaScript client does; whether they were acknowledged. */
export async function ingestWithSdk(
  { url, token }: Pick<ServerProcess, 'url' | 'token'>,
  dataset: string,
  events: readonly object[],
): Promise<boolean> {
  // It reports an error and resolves with no ingested events.
  const sdk = sdks.get(url) ?? new AxiomWithoutBatching({ url, token, onError: () => undefined });
  sdks.set(url, sdk);
  const { ingested } = await sdk.ingest(dataset, [...events]);
  return ingested === events.length;
}
