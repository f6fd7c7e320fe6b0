import { quotaKey } from '@millrace/http/access/identity';
import type { Principal } from '@millrace/http/access/authorize';

/** A message with the members that identify a call. */
interface Message {
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: { readonly requestId?: unknown };
}

interface InFlight {
  readonly caller: string;
  readonly id: string | number;
  readonly abort: AbortController;
}

/**
 * Tool calls that run. Revisions before 2026-07-28 cancel a call with another message, which
 * names the ID that the agent gave the call. Agents with the same token use the same IDs, so a call
 * is canceled only if no other could be meant.
 */
export class CallsInFlight {
  readonly #calls = new Set<InFlight>();

  /**
   * Runs the work of a message, which a later message may cancel.
   * @param agent name of the program
   */
  async run<T>(
    {
      principal,
      abort,
      body,
    }: { readonly principal: Principal; readonly abort: AbortController; readonly body: unknown },
    agent: string,
    work: () => Promise<T>,
  ): Promise<T> {
    const { method, id, params } = messageIn(body);
    const caller = `${principal.kind === 'anonymous' ? '' : quotaKey(principal)} ${agent}`;
    if (method === 'notifications/cancelled' && isId(params?.requestId)) this.#cancel(caller, params.requestId);
    if (method !== 'tools/call' || !isId(id)) return work();
    const call = { caller, id, abort };
    this.#calls.add(call);
    try {
      return await work();
    } finally {
      this.#calls.delete(call);
    }
  }

  #cancel(caller: string, id: string | number): void {
    const meant = [...this.#calls].filter((call) => call.caller === caller && call.id === id);
    if (meant.length === 1) meant[0]!.abort.abort();
  }
}

const isId = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

const messageIn = (body: unknown): Message => (typeof body === 'object' && body !== null ? body : {});
