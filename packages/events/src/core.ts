import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { DICTIONARY_ROWS } from './limits.js';
import type { Names } from './names.js';
import { Instance, type Memory, Module, RuntimeError } from './web-assembly.js';

/**
 * The encoder core, compiled from `../assembly` to WebAssembly: its `index.ts` documents the
 * exports, its `host.ts` the imports. Numbers are addresses in its memory, lengths in bytes, or as
 * named; address 0 means none.
 */
export interface Core {
  readonly memory: Memory;
  setUp(seed: bigint, dictionaryRows: number): void;

  begin(longestValue: number, maxLevels: number, arrival: bigint, ofLayout: number): void;
  beginKeys(longestName: number): void;
  forgetKeys(): void;
  hasSpilled(): number;
  keptBytes(): number;
  newRoot(ofEnvelope: number): number;
  setRoots(events: number, ofLabels: number): void;
  room(bytes: number): number;
  setEnd(end: number): void;
  setLabels(at: number, end: number): void;
  newKnownField(id: number): number;
  setKnower(mark: number, share: number, max: number): void;
  unreportedFields(): number;
  fieldOfBody(known: number, allowed: number, repeats: number, nextLook: number): number;

  readEvents(at: number, inArray: number): number;
  lastEventAt(): number;
  rollback(): void;
  skip(at: number): number;
  failedAt(): number;
  expected(): number;

  beginCsv(at: number, delimiter: number, delimiterBytes: number): void;
  readRow(max: number): number;
  rowAt(): number;
  cellsFound(): number;
  openingQuote(): number;
  cellAt(index: number): number;
  textLength(): number;
  setNamedColumns(count: number): void;
  addColumn(role: number, field: number): void;
  readRows(): number;

  resetTime(): void;
  hasTime(): number;
  eventTime(): bigint;

  rowCount(): number;
  earliestTime(): bigint;
  latestTime(): bigint;
  describeColumns(): number;
  columnTable(): number;
  layOut(): number;
  writeBodies(): number;
  bodiesAt(): number;

  beginMerge(repeats: number, nextLook: number): void;
  beginPlainMerge(): void;
  mergePlain(firstRow: number, rows: number, at: number): void;
  mergeDictionary(firstRow: number, rows: number, at: number): void;
  mergedBytes(rows: number): number;
  writeMerged(rows: number, to: number): void;
  isMergedDictionary(): number;
  mergedRepeats(): number;
  mergedNextLook(): number;

  setLongestName(bytes: number): void;
  eventsWithOthers(): number;

  beginJoin(): void;
  joinDictionary(firstRow: number, rows: number, at: number): void;
  joinPlain(firstRow: number, rows: number, at: number): void;
  joinedBytes(rows: number): number;
  writeJoined(rows: number, to: number): void;
}

/** The functions the core calls while it reads a body. */
export interface Host {
  key(parent: number, text: number, length: number): number;
  longKey(parent: number, text: number, length: number): void;
  collided(node: number, parent: number, raw: number, length: number): void;
  known(parent: number, raw: number, length: number): number;
  field(node: number): number;
  refuse(field: number, type: number): void;
  dropName(node: number): void;
  dropColumn(column: number): void;
  otherField(): number;
  otherName(node: number, to: number): number;
  otherColumn(column: number, to: number): number;
  dropped(stored: number): void;
  timeOfText(declared: number, text: number, length: number): bigint;
  timeOfInteger(declared: number, value: bigint): bigint;
  timeOfNumber(declared: number, text: number, length: number): bigint;
  timeOfOther(declared: number, byte: number): void;
  timeless(at: number, declared: number): void;
  float(text: number, length: number): number;
  floatText(value: number, to: number): number;
}

/** A body needs more memory than the core may have; `../build-encoder.js` sets that limit. */
export class OutOfMemoryError extends Error {
  override readonly name = 'OutOfMemoryError';

  constructor(cause: unknown) {
    super('the body needs more memory than there is for one', { cause });
  }
}

/** A core in exclusive use. */
export class Lease {
  readonly core: Core;
  /** The object that handles its calls. */
  host: Host | undefined;
  /** The keys retained from one body to the next. */
  names: Names | undefined;
  #memory = Buffer.alloc(0);
  #words = new Int32Array(0);
  readonly #texts = new Map<number, string>();

  constructor() {
    const currentHost = (): Host => {
      if (this.host === undefined) throw new Error('the core asks nobody');
      return this.host;
    };
    const imports: Host = {
      key: (parent, text, length) => currentHost().key(parent, text, length),
      longKey: (parent, text, length) => currentHost().longKey(parent, text, length),
      collided: (node, parent, raw, length) => currentHost().collided(node, parent, raw, length),
      known: (parent, raw, length) => currentHost().known(parent, raw, length),
      field: (node) => currentHost().field(node),
      refuse: (field, type) => currentHost().refuse(field, type),
      dropName: (node) => currentHost().dropName(node),
      dropColumn: (column) => currentHost().dropColumn(column),
      otherField: () => currentHost().otherField(),
      otherName: (node, to) => currentHost().otherName(node, to),
      otherColumn: (column, to) => currentHost().otherColumn(column, to),
      dropped: (stored) => currentHost().dropped(stored),
      timeOfText: (declared, text, length) => currentHost().timeOfText(declared, text, length),
      timeOfInteger: (declared, value) => currentHost().timeOfInteger(declared, value),
      timeOfNumber: (declared, text, length) => currentHost().timeOfNumber(declared, text, length),
      timeOfOther: (declared, byte) => currentHost().timeOfOther(declared, byte),
      timeless: (at, declared) => currentHost().timeless(at, declared),
      float: (text, length) => currentHost().float(text, length),
      floatText: (value, to) => currentHost().floatText(value, to),
    };
    this.core = new Instance(coreModule(), { host: imports }).exports as Core;
    this.core.setUp(crypto.getRandomValues(new BigUint64Array(1))[0]!, DICTIONARY_ROWS);
  }

  /** All memory of the core. Any call into the core may move it, so do not keep this. */
  get memory(): Buffer {
    // Once the memory has moved, the old buffer is empty.
    if (this.#memory.length === 0) this.#memory = Buffer.from(this.core.memory.buffer);
    return this.#memory;
  }

  /** The same memory as 32-bit words. */
  get words(): Int32Array {
    if (this.#words.length === 0) this.#words = new Int32Array(this.core.memory.buffer);
    return this.#words;
  }

  /** A string constant of the core: UTF-16, preceded by its length in bytes. */
  text(at: number): string {
    let text = this.#texts.get(at);
    if (text === undefined) {
      const { memory } = this;
      text = memory.toString('utf16le', at, at + memory.readUInt32LE(at - 4));
      this.#texts.set(at, text);
    }
    return text;
  }

  /** Copies bytes into memory taken from the core; returns their address. */
  place(bytes: Uint8Array): number {
    const start = this.core.room(bytes.length);
    this.memory.set(bytes, start);
    return start;
  }
}

/**
 * Maximum memory that an idle core retains for the next body; a larger core is dropped. Allocating
 * fresh memory costs as much as parsing the data for it, so a worker thread, which ends when idle,
 * retains what ordinary bodies need. The main thread does not end, and its bodies are small. A
 * third of the memory is for keys; unused pages of it are never touched.
 */
const maxCachedBytes = isMainThread ? 96 << 20 : 256 << 20;

let compiledModule: Module | undefined;
let idle: Lease | undefined;

/** The compiled core, which can be passed to another thread to save compiling it again. */
export function coreModule(): Module {
  return (compiledModule ??= new Module(readFileSync(new URL('../dist/encoder.wasm', import.meta.url))));
}

/** Uses a core that another thread compiled. */
export function setCoreModule(module: Module): void {
  compiledModule = module;
}

/**
 * Runs `use` with this thread's core, with exclusive access to its memory and without state from
 * the previous use. Only keys are retained, unless the previous use threw or there are too many of
 * them.
 * @throws OutOfMemoryError
 */
export function withCore<Result>(use: (lease: Lease) => Result): Result {
  const lease = idle ?? new Lease();
  idle = undefined;
  try {
    return use(lease);
  } catch (error) {
    // It may have been in the middle of changing them.
    lease.names = undefined;
    // This is how the core reports that its memory cannot grow.
    if (error instanceof RuntimeError && error.message === 'unreachable') throw new OutOfMemoryError(error);
    throw error;
  } finally {
    lease.host = undefined;
    if (lease.names?.end() === false) lease.names = undefined;
    if (lease.memory.length <= maxCachedBytes) idle = lease;
  }
}
