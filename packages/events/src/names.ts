import type { EncodeOptions } from './encode.js';
import { type Role, roleOf } from './roles.js';

/** Roles as the core numbers them. */
const ROLES: readonly Role[] = ['plain', 'map', 'time', 'default-time', 'too-long'];

/** What is told of a name that is too long to be kept, in bytes. */
const SHORTENED = 64;

/** The dotted names of the keys of a body, by the numbers of their nodes. The core finds a key by its bytes and asks for its name once. */
export class Names {
  readonly #options: EncodeOptions;
  readonly #names: string[];
  readonly #roots: number;
  /** A name that is not kept. */
  #long = '';
  /** Address of the node of a key, as it stands under its parent, that found no place in the core's table. */
  readonly #collided = new Map<string, number>();

  /** The first nodes are the roots, of which there are so many. */
  constructor(options: EncodeOptions, roots: number) {
    this.#options = options;
    this.#roots = roots;
    this.#names = Array.from({ length: roots }, () => '');
  }

  /** The next node is this key under its parent; answers the number of its role. */
  add(parent: number, key: string): number {
    const name = this.#dotted(parent, key);
    this.#names.push(name);
    return ROLES.indexOf(roleOf(name, this.#options));
  }

  /** The name of a node; −1 is the one that was not kept last. */
  of(node: number): string {
    return node < 0 ? this.#long : this.#names[node]!;
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
    return parent < this.#roots ? key : `${this.#names[parent]!}.${key}`;
  }
}
