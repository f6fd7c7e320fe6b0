import { JsonBytes } from '../bytes/json-bytes.js';

/** What an action asks for. */
export const actions = ['index', 'create', 'update', 'delete'] as const;
export type Action = (typeof actions)[number];

/** Why an item was not stored, as programs look for it: some go by the status, some want type and reason. */
export interface ItemError {
  readonly status: number;
  readonly type: string;
  readonly reason: string;
}

/**
 * The actions of a bulk request, and what became of each. The answer lists them in order, because programs match them by position, and under the name of
 * the action that was sent.
 */
export class BulkItems {
  readonly #actions: Action[] = [];
  /** The `_index` and `_id` of each, as the beginning of its answer. */
  readonly #names: string[] = [];
  readonly #errors = new Map<number, ItemError>();
  /** The item of each document, in their order. */
  readonly #documents: number[] = [];

  /** Number of documents that are given to the encoder. */
  get documents(): number {
    return this.#documents.length;
  }

  add(action: Action, names: string): void {
    this.#actions.push(action);
    this.#names.push(names);
  }

  /** The action added last has a document that is given to the encoder. */
  hasDocument(): void {
    this.#documents.push(this.#actions.length - 1);
  }

  /** The action added last cannot be carried out. */
  fail(error: ItemError): void {
    this.#errors.set(this.#actions.length - 1, error);
  }

  /** A document cannot be stored. */
  failDocument(document: number, error: ItemError): void {
    this.#errors.set(this.#documents[document]!, error);
  }

  get failed(): number {
    return this.#errors.size;
  }

  /** The members `errors` and `items` of the answer. Programs look for the bytes `"errors":true`. */
  answer(most: number, tooMany: () => Error): Buffer {
    const out = new JsonBytes(80 * this.#actions.length, most, tooMany);
    out.ascii(`"errors":${this.#errors.size > 0},"items":[`);
    this.#actions.forEach((action, item) => {
      out.ascii(`${item === 0 ? '' : ','}{"${action}":{`);
      out.bytes(Buffer.from(this.#names[item]!));
      const error = this.#errors.get(item);
      if (error === undefined) out.ascii('"_version":1,"result":"created","status":201}}');
      else {
        out.ascii(`"status":${error.status},"error":{"type":"${error.type}","reason":`);
        out.string(error.reason);
        out.ascii('}}}');
      }
      out.check();
    });
    out.ascii(']');
    return out.written();
  }
}
