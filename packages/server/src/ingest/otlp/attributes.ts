import { isConvention } from './conventions.js';
import type { Attribute } from './messages.js';
import { objectText } from './json-text.js';

/** Where attributes stand in an event: as members of its object, which all begin with a comma. */

/** The member an attribute becomes, up to its value; the same keys come again and again. */
class Keys {
  readonly #known = new Map<string, string | undefined>();
  readonly #memberOf: (key: string) => string | undefined;

  /** `memberOf` names the field of a key; undefined for one that has none of its own. */
  constructor(memberOf: (key: string) => string | undefined) {
    this.#memberOf = memberOf;
  }

  /** `,"attributes.http.route":` */
  find(key: string): string | undefined {
    if (this.#known.has(key)) return this.#known.get(key);
    const field = this.#memberOf(key);
    const text = field === undefined ? undefined : `,${JSON.stringify(field)}:`;
    this.#known.set(key, text);
    return text;
  }
}

/** Names of attributes, remembered for one body. */
export class AttributeMembers {
  readonly #records = new Keys((key) => (isConvention(key) ? `attributes.${key}` : undefined));
  readonly #resources = new Keys((key) => (/^(service|telemetry)\../s.test(key) ? key : `resource.${key}`));
  readonly #scopes = new Keys((key) => `scope.attributes.${key}`);

  /** Those of a span or log record: what conventions know as fields, the rest as entries of one map. */
  ofRecord(attributes: readonly Attribute[]): string {
    let text = '';
    const custom: Attribute[] = [];
    for (const attribute of attributes) {
      const member = this.#records.find(attribute.key);
      if (member === undefined) custom.push(attribute);
      else text += member + attribute.value;
    }
    return custom.length === 0 ? text : `${text},"attributes.custom":${objectText(custom)}`;
  }

  ofResource(attributes: readonly Attribute[]): string {
    return members(this.#resources, attributes);
  }

  ofScope(attributes: readonly Attribute[]): string {
    return members(this.#scopes, attributes);
  }
}

function members(keys: Keys, attributes: readonly Attribute[]): string {
  let text = '';
  for (const { key, value } of attributes) text += keys.find(key)! + value;
  return text;
}
