import { isConvention } from './conventions.js';

/**
 * The key of an attribute, and the serialized starts of its JSON properties. Those with a leading
 * comma are properties of an event.
 */
export class AttributeKey {
  readonly text: string;
  #plain: Buffer | undefined;
  #ofRecord: Buffer | null | undefined;
  #ofResource: Buffer | undefined;
  #ofScope: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** `"http.route":` */
  get plain(): Buffer {
    return (this.#plain ??= Buffer.from(`${JSON.stringify(this.text)}:`));
  }

  /**
   * `,"attributes.http.route":`; null for a key outside the conventions, which gets no separate
   * field.
   */
  get ofRecord(): Buffer | null {
    if (this.#ofRecord === undefined)
      this.#ofRecord = isConvention(this.text) ? member(`attributes.${this.text}`) : null;
    return this.#ofRecord;
  }

  get ofResource(): Buffer {
    return (this.#ofResource ??= member(
      /^(service|telemetry)\../s.test(this.text) ? this.text : `resource.${this.text}`,
    ));
  }

  get ofScope(): Buffer {
    return (this.#ofScope ??= member(`scope.attributes.${this.text}`));
  }
}

const member = (name: string): Buffer => Buffer.from(`,${JSON.stringify(name)}:`);

/** Maximum cached keys, so that a body of distinct keys does not exhaust memory. */
const maxKeys = 10_000;

/** Parsed keys of a body by their text, because keys repeat. */
export class AttributeKeys {
  readonly #keys = new Map<string, AttributeKey>();

  find(text: string): AttributeKey {
    let key = this.#keys.get(text);
    if (key === undefined) {
      key = new AttributeKey(text);
      if (this.#keys.size >= maxKeys) this.#keys.clear();
      this.#keys.set(text, key);
    }
    return key;
  }
}

/** The key of an attribute that was sent without one. */
export const nameless = new AttributeKey('');
