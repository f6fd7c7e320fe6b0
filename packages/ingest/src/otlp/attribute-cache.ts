import { type AttributeKey, AttributeKeys } from './attribute-keys.js';
import type { JsonBytes } from '../bytes/json-bytes.js';
import type { Attribute } from './message-schema.js';
import { BytesCache } from './bytes-cache.js';
import type { WireReader } from '../bytes/wire-reader.js';

/** The keys and attributes of one body that were read before, recognized by their bytes. */
export class AttributeCache {
  readonly #body: Buffer;
  readonly #keys = new AttributeKeys();
  /** Keys seen before, and by slot their parsed form. */
  readonly #seenKeys: BytesCache;
  readonly #foundKeys: (AttributeKey | undefined)[];
  /**
   * Attributes seen before, and by slot the parsed form of those seen twice; their values are in
   * `#memory`.
   */
  readonly #bytesCache: BytesCache;
  readonly #attributes: (Attribute | undefined)[];
  readonly #memory: JsonBytes;

  /** @param memory receives the cached values */
  constructor({ body, words }: WireReader, memory: JsonBytes) {
    this.#body = body;
    this.#seenKeys = new BytesCache(words);
    this.#foundKeys = Array.from({ length: this.#seenKeys.slots });
    this.#bytesCache = new BytesCache(words);
    this.#attributes = Array.from({ length: this.#bytesCache.slots });
    this.#memory = memory;
  }

  key(start: number, end: number): AttributeKey {
    const slot = this.#seenKeys.find(start, end);
    if (slot !== undefined && slot >= 0) return this.#foundKeys[slot]!;
    const key = this.#keys.find(this.#body.toString('utf8', start, end));
    if (slot !== undefined) this.#foundKeys[~slot] = key;
    return key;
  }

  /** The slot of an attribute, as returned by `BytesCache`. */
  slotOf(start: number, end: number): number | undefined {
    return this.#bytesCache.find(start, end);
  }

  /** The cached attribute of a slot. */
  at(slot: number | undefined): Attribute | undefined {
    return slot === undefined || slot < 0 ? undefined : this.#attributes[slot];
  }

  /**
   * Adds a parsed attribute. Its second occurrence is cached, so it is not parsed again from the
   * third on.
   */
  add(slot: number | undefined, attribute: Attribute): void {
    if (slot === undefined) return;
    if (slot < 0) this.#attributes[~slot] = undefined;
    else this.#attributes[slot] = this.#keepAttribute(attribute);
  }

  #keepAttribute({ key, in: from, ...piece }: Attribute): Attribute {
    const start = this.#memory.length;
    this.#memory.piece(from, piece);
    return { key, in: this.#memory, start, end: this.#memory.length };
  }
}
