import type { Core, Lease } from './core.js';
import type { EncodeOptions } from './encode.js';
import { storedName } from './fields.js';
import { KnownField } from './known-field.js';
import { ROLE_NUMBER, roleOf } from './roles.js';

/** What is told of a name that is too long to be kept, in bytes. */
const SHORTENED = 64;

/** With more fields or sets of options at the end of a body all is forgotten: they may be made up. How many keys are kept is for the core to say. */
const MOST_FIELDS = 16_384;
const MOST_OPTIONS = 128;

/** Addresses of the nodes above the keys of events and of labels. */
interface Roots {
  readonly events: number;
  readonly labels: number;
}

/**
 * What is known of the keys that a core has met, from one body to the next: their dotted names and their fields, by the numbers of their nodes. The core
 * finds a key by its bytes and asks for its name once. What a name means depends on the options, so different ones have keys of their own.
 */
export class Names {
  readonly #core: Core;
  /** Those of the body. */
  #options: EncodeOptions | undefined;
  readonly #roots = new Map<string, Roots>();
  /** Undefined is the name of a root. */
  readonly #names: (string | undefined)[] = [];
  readonly #fieldOf: (KnownField | undefined)[] = [];
  readonly #byName = new Map<string, KnownField>();
  readonly #byId: KnownField[] = [];
  /** A name that is not kept. */
  #long = '';
  /** Address of the node of a key, as it stands under its parent, that found no place in the core's table. */
  readonly #collided = new Map<string, number>();

  private constructor(core: Core) {
    this.#core = core;
  }

  /** A body begins, of which the core has been told nothing yet but its limits. */
  static begin(lease: Lease, options: EncodeOptions): Names {
    const { core } = lease;
    core.beginKeys(options.limits.maxNameBytes);
    if (lease.names === undefined) core.forgetKeys();
    const names = (lease.names ??= new Names(core));
    names.#options = options;
    const { events, labels } = names.#rootsFor(options);
    core.setRoots(events, labels);
    return names;
  }

  /** The body is over. Answers whether what is known may stay. */
  end(): boolean {
    this.#options = undefined;
    return this.#core.hasSpilled() === 0 && this.#byId.length <= MOST_FIELDS && this.#roots.size <= MOST_OPTIONS;
  }

  #rootsFor({ timestampField = '_time', mapFields, limits }: EncodeOptions): Roots {
    // All that `roleOf` looks at.
    const plain = `${limits.maxNameBytes} ${timestampField}`;
    const key = mapFields.size === 0 ? plain : JSON.stringify([plain, ...mapFields]);
    let roots = this.#roots.get(key);
    if (roots === undefined) {
      roots = { events: this.#newRoot(), labels: this.#newRoot() };
      this.#roots.set(key, roots);
    }
    return roots;
  }

  #newRoot(): number {
    this.#names.push(undefined);
    return this.#core.newRoot();
  }

  /** The next node is this key under its parent; answers the number of its role. */
  add(parent: number, key: string): number {
    const name = this.#dotted(parent, key);
    this.#names.push(name);
    return ROLE_NUMBER[roleOf(name, this.#options!)];
  }

  /** The name of a node; −1 is the one that was not kept last. */
  of(node: number): string {
    return node < 0 ? this.#long : this.#names[node]!;
  }

  /** The field of a node. */
  field(node: number): KnownField {
    return (this.#fieldOf[node] ??= this.fieldNamed(this.#names[node]!));
  }

  /** The field an event calls `name`. */
  fieldNamed(name: string): KnownField {
    const stored = storedName(name);
    let field = this.#byName.get(stored);
    if (field === undefined) {
      field = new KnownField(this.#byId.length, stored);
      this.#byName.set(stored, field);
      this.#byId.push(field);
    }
    return field;
  }

  fieldWithId(id: number): KnownField {
    return this.#byId[id]!;
  }

  /** A key that is too long to be kept. */
  setLong(parent: number, key: Buffer): void {
    this.#long = this.#dotted(parent, `${key.subarray(0, SHORTENED).toString()}…`);
  }

  collided(node: number, parent: number, raw: string): void {
    this.#collided.set(`${parent} ${raw}`, node);
  }

  known(parent: number, raw: string): number {
    return this.#collided.get(`${parent} ${raw}`) ?? 0;
  }

  #dotted(parent: number, key: string): string {
    const above = this.#names[parent];
    return above === undefined ? key : `${above}.${key}`;
  }
}
