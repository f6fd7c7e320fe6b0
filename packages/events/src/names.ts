import type { Core, Lease } from './core.js';
import type { EncodeOptions } from './encode.js';
import { storedName } from './fields.js';
import { KnownField } from './known-field.js';
import { ROLE_NUMBER, type Role, roleInEnvelope, roleOf } from './roles.js';

/** Reported bytes of a key that is too long to retain. */
const SHORTENED = 64;

/**
 * If a body ends with more sets of options than this, all keys are dropped: the options may be
 * random.
 */
const MAX_OPTIONS = 128;
/**
 * Keys of more bytes than this (about ten thousand keys) are dropped after a body that added some
 * and whose fields were mostly new to its dataset. Recurring keys are retained while the core has
 * room for them.
 */
const USUAL_BYTES = 1 << 20;

/** Addresses of the root nodes of the keys of events and of labels. */
interface Roots {
  readonly events: number;
  readonly labels: number;
}

/**
 * The keys that a core has met, from one body to the next: their dotted names and their fields, by
 * the IDs of their nodes. The core finds a key by its bytes and requests its name once. The meaning
 * of a name depends on the options, so each set of options has separate keys.
 */
export class Names {
  readonly #core: Core;
  /** The options of the current body. */
  #options: EncodeOptions | undefined;
  readonly #roots = new Map<string, Roots>();
  /** Nodes of envelopes, whose members are those of the event. */
  readonly #envelopes = new Map<number, 'envelope' | 'event' | 'more'>();
  /** By node; a root has no name. */
  readonly #names: (string | undefined)[] = [];
  readonly #fieldOf: (KnownField | undefined)[] = [];
  readonly #byName = new Map<string, KnownField>();
  readonly #byId: KnownField[] = [];
  /** The last name that was too long to retain. */
  #long = '';
  /** Parent and raw key → address of the node, for keys that found no place in the core's table. */
  readonly #collidedNodes = new Map<string, number>();

  /**
   * Bytes that the core retained when the body began, and whether most of its fields were known.
   */
  #keptBefore = 0;
  #comesAgain = false;

  private constructor(core: Core) {
    this.#core = core;
  }

  /** Begins a body; before this, the core has only its limits. */
  static begin(lease: Lease, options: EncodeOptions): Names {
    const { core } = lease;
    core.beginKeys(options.limits.maxNameBytes);
    core.setLongestName(options.limits.maxNameBytes);
    // Which names are fields holds for this body alone.
    if (options.only !== undefined) lease.names = undefined;
    if (lease.names === undefined) core.forgetKeys();
    const names = (lease.names ??= new Names(core));
    names.#options = options;
    names.#comesAgain = false;
    names.#keptBefore = core.keptBytes();
    const { events, labels } = names.#rootsFor(options);
    core.setRoots(events, labels);
    return names;
  }

  /** Ends the body. Returns whether the keys may be retained. */
  end(): boolean {
    const isOfOneBody = this.#options?.only !== undefined;
    this.#options = undefined;
    const kept = this.#core.keptBytes();
    return (
      !isOfOneBody &&
      this.#core.hasSpilled() === 0 &&
      this.#roots.size <= MAX_OPTIONS &&
      (kept <= USUAL_BYTES || kept === this.#keptBefore || this.#comesAgain)
    );
  }

  /** The body is read; its dataset knew so many of its fields. */
  noteKnown(known: number, fields: number): void {
    this.#comesAgain = 2 * known > fields;
  }

  #rootsFor({ timestampField = '_time', mapFields, limits, envelope }: EncodeOptions): Roots {
    // All inputs of `roleOf` and `roleInEnvelope`.
    const plain = `${limits.maxNameBytes} ${timestampField}`;
    const isPlain = mapFields.size === 0 && envelope === undefined;
    const key = isPlain ? plain : JSON.stringify([plain, envelope, ...mapFields]);
    let roots = this.#roots.get(key);
    if (roots === undefined) {
      if (envelope !== undefined) this.#envelopes.set(this.#names.length, 'envelope');
      roots = { events: this.#newRoot(envelope !== undefined), labels: this.#newRoot(false) };
      this.#roots.set(key, roots);
    }
    return roots;
  }

  #newRoot(ofEnvelope: boolean): number {
    this.#names.push(undefined);
    return this.#core.newRoot(Number(ofEnvelope));
  }

  /** Makes the next node this key under its parent; returns the number of its role. */
  add(parent: number, key: string): number {
    const name = this.#dottedName(parent, key);
    const role = this.#roleOf(parent, name);
    const isEvent = role === 'event';
    if (isEvent || role === 'more') this.#envelopes.set(this.#names.length, role);
    this.#names.push(isEvent ? this.#options!.envelope!.text : name);
    return ROLE_NUMBER[role];
  }

  #roleOf(parent: number, name: string): Role {
    const options = this.#options!;
    const within = this.#envelopes.get(parent);
    // The declared time is a member of the envelope.
    const role = roleOf(name, within === undefined || within === 'envelope' ? options : withoutTime(options));
    if (within === undefined || within === 'event' || role !== 'plain') return role;
    return within === 'more' ? 'aside' : roleInEnvelope(name, options.envelope!);
  }

  /** The name of a node; node −1 is the last one that was too long to retain. */
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
      field = new KnownField(this.#byId.length, stored, this.#core.newKnownField(this.#byId.length));
      this.#byName.set(stored, field);
      this.#byId.push(field);
    }
    return field;
  }

  fieldWithId(id: number): KnownField {
    return this.#byId[id]!;
  }

  /** Records the name of a key that is too long to retain. */
  setLong(parent: number, key: Buffer): void {
    this.#long = this.#dottedName(parent, `${key.subarray(0, SHORTENED).toString()}…`);
  }

  recordCollision(node: number, parent: number, raw: string): void {
    this.#collidedNodes.set(`${parent} ${raw}`, node);
  }

  knownCollision(parent: number, raw: string): number {
    return this.#collidedNodes.get(`${parent} ${raw}`) ?? 0;
  }

  #dottedName(parent: number, key: string): string {
    const above = this.#names[parent];
    return above === undefined || this.#envelopes.has(parent) ? key : `${above}.${key}`;
  }
}

/** The options for names that no time has been declared for. */
const withoutTime = (options: EncodeOptions): EncodeOptions => ({ ...options, timestampField: '' });
