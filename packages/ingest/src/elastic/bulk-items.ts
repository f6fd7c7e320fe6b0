import { httpError } from '@millrace/api/errors';
import { JsonBytes } from '../bytes/json-bytes.js';
import type { ReadAction } from './parse-bulk.js';
import { ingestBounds } from '../ingest-limits.js';

/** Actions of a bulk request. */
export const actions = ['index', 'create', 'update', 'delete'] as const;
export type Action = (typeof actions)[number];

/**
 * Why an item was not stored, in the form that clients expect: some read the status, some type and
 * reason.
 */
export interface ItemError {
  readonly status: number;
  readonly type: string;
  readonly reason: string;
}

/**
 * The actions of a bulk request and their outcomes. The response lists them in order, because
 * clients match them by position, and under the action that was sent. Items for other datasets than
 * the one that is read are added by `mergeItems`.
 */
export class BulkItems {
  readonly #actions: ReadAction[] = [];
  /** Items for other datasets. */
  readonly #others = new Set<number>();
  readonly #errors = new Map<number, ItemError>();
  /** For each document passed to the encoder, in order: its item, its start and its end. */
  #documents: number[] = [];

  /** Number of documents passed to the encoder. */
  get documents(): number {
    return this.#documents.length / 3;
  }

  /** @throws HttpError `too-many-actions` */
  add(action: ReadAction, isOwn: boolean): void {
    if (!isOwn) this.#others.add(this.#actions.length);
    this.#actions.push(action);
    const limit = (this.#others.size > 0 ? ingestBounds.bulkActionsOfSeveral : ingestBounds.bulkActions).max;
    if (this.#actions.length > limit) throw httpError('too-many-actions', { limit });
  }

  /** Records that the last action has a document for the encoder. */
  hasDocument(start: number, end: number): void {
    this.#documents.push(this.#actions.length - 1, start, end);
  }

  /** The action added last cannot be carried out. */
  fail(error: ItemError): void {
    this.#fail(this.#actions.length - 1, error);
  }

  /** A document cannot be stored. */
  failDocument(document: number, error: ItemError): void {
    this.#fail(this.#documents[3 * document]!, error);
  }

  /** Leaves out the documents that have a problem, and fails their items. */
  keepDocuments(problemOf: (start: number, end: number) => ItemError | undefined): void {
    const kept: number[] = [];
    for (let at = 0; at < this.#documents.length; at += 3) {
      const [item, start, end] = [this.#documents[at]!, this.#documents[at + 1]!, this.#documents[at + 2]!];
      const problem = problemOf(start, end);
      if (problem === undefined) kept.push(item, start, end);
      else this.#fail(item, problem);
    }
    this.#documents = kept;
  }

  get failed(): number {
    return this.#errors.size;
  }

  /** @throws HttpError `too-many-failures` */
  #fail(item: number, error: ItemError): void {
    if (this.#errors.size === ingestBounds.answeredFailures.max) throw tooManyFailures();
    this.#errors.set(item, error);
  }

  /** A line for each item. */
  lines(max: number, tooMany: () => Error): Buffer {
    const out = new JsonBytes(70 * this.#actions.length, max, tooMany);
    const successes = new Map<ReadAction, Buffer>();
    this.#actions.forEach((action, item) => {
      if (item > 0) out.byte(lineFeed);
      const error = this.#errors.get(item);
      if (this.#others.has(item)) out.bytes(Buffer.from(startOf(action)));
      else if (error === undefined) {
        let success = successes.get(action);
        if (success === undefined) successes.set(action, (success = Buffer.from(`${startOf(action)}${createdResult}`)));
        out.bytes(success);
      } else {
        out.bytes(Buffer.from(`${startOf(action)}${errorStart(error)}`));
        out.string(error.reason);
        out.ascii('}}}');
      }
      out.check();
    });
    return out.writtenBytes();
  }
}

/** Error for more failures than a response lists; the client has to split the request. */
export const tooManyFailures = () => httpError('too-many-failures', { limit: ingestBounds.answeredFailures.max });

const startOf = ({ action, names }: ReadAction): string => `{"${action}":{${names}`;
const createdResult = '"_version":1,"result":"created","status":201}}';

const errorStart = ({ status, type }: ItemError): string => `"status":${status},"error":{"type":"${type}","reason":`;

const lineFeed = 0x0a;
const comma = 0x2c;

/**
 * The properties `errors` and `items` of a response. Clients search for the bytes `"errors":true`.
 * @param parts the lines of a request for each of its datasets
 * @param otherwise outcome of items that are in no part; undefined if there are none
 */
export function mergeItems(parts: readonly Uint8Array[], otherwise: ItemError | undefined): Buffer {
  const items =
    parts.length === 1 && otherwise === undefined ? Buffer.from(parts[0]!) : Buffer.from(mergeParts(parts, otherwise));
  for (let at = items.indexOf(lineFeed); at >= 0; at = items.indexOf(lineFeed, at + 1)) items[at] = comma;
  const failed = items.includes('"error":{');
  return Buffer.concat([Buffer.from(`"errors":${failed},"items":[`), items, Buffer.from(']')]);
}

function mergeParts(parts: readonly Uint8Array[], otherwise: ItemError | undefined): string {
  const lists = parts.map((part) => Buffer.from(part).toString().split('\n'));
  const ending = otherwise === undefined ? '' : `${errorStart(otherwise)}${JSON.stringify(otherwise.reason)}}}}`;
  const lines = lists[0]!.map((line, item) => lists.map((list) => list[item]!).find(isComplete) ?? `${line}${ending}`);
  return lines.join('\n');
}

const isComplete = (line: string): boolean => line.endsWith('}}');
