import { readFileSync } from 'node:fs';
import { Instance, type Memory, Module, RuntimeError } from './web-assembly.js';

/**
 * The reader of events, compiled from `../assembly` to WebAssembly: what it offers is declared in its `index.ts`, what it asks for in its
 * `host.ts`. Numbers are addresses in its memory, lengths in bytes, or what their names say; an address 0 is none.
 */
export interface Core {
  readonly memory: Memory;
  setSeed(seed: bigint): void;

  begin(longestValue: number, mostLevels: number, longestName: number, arrival: bigint, ofLayout: number): void;
  room(bytes: number): number;
  setEnd(end: number): void;
  setLabels(at: number, end: number): void;
  newField(id: number, allowed: number, repeats: number, looked: number): number;

  readEvents(at: number, inArray: number): number;
  lastEventAt(): number;
  rollback(): void;
  skip(at: number): number;
  failedAt(): number;
  expected(): number;

  beginCsv(at: number, delimiter: number, delimiterBytes: number): void;
  readRow(most: number): number;
  rowAt(): number;
  cellsFound(): number;
  openingQuote(): number;
  cellAt(index: number): number;
  textLength(): number;
  addColumn(role: number): void;
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
  writeBodies(to: number): void;

  beginMerge(mayRepeat: number, repeats: number, looked: number): void;
  mergePlain(firstRow: number, rows: number, at: number): void;
  mergeDictionary(firstRow: number, rows: number, at: number): void;
  mergedBytes(rows: number): number;
  writeMerged(rows: number, to: number): void;
  isMergedDictionary(): number;
  mergedRepeats(): number;
  mergedLooked(): number;
}

/** What the core asks while it reads a body. */
export interface Host {
  key(parent: number, text: number, length: number): number;
  longKey(parent: number, text: number, length: number): void;
  collided(node: number, parent: number, raw: number, length: number): void;
  known(parent: number, raw: number, length: number): number;
  field(node: number): number;
  refuse(field: number, type: number): void;
  dropName(node: number): void;
  dropped(stored: number): void;
  timeOfText(declared: number, text: number, length: number): bigint;
  timeOfInteger(declared: number, value: bigint): bigint;
  timeOfNumber(declared: number, text: number, length: number): bigint;
  timeOfOther(declared: number, byte: number): void;
  timeless(at: number, declared: number): void;
  float(text: number, length: number): number;
  floatText(value: number, to: number): number;
}

/** The body needs more memory than there is: beyond 4 GiB, or what the system gives. */
export class OutOfMemoryError extends Error {
  override readonly name = 'OutOfMemoryError';
}

/** Memory of the core that is kept for the next body; more is given back. */
const MOST_KEPT = 64 << 20;

/** The core while somebody uses it. */
export interface Lease {
  readonly core: Core;
  /** Whom it asks. */
  host: Host | undefined;
}

let compiled: Module | undefined;
let idle: Lease | undefined;

/** The compiled core, which another thread can be given so that it need not compile it again. */
export function coreModule(): Module {
  return (compiled ??= new Module(readFileSync(new URL('../dist/encoder.wasm', import.meta.url))));
}

/** Uses what another thread compiled. */
export function setCoreModule(module: Module): void {
  compiled = module;
}

/**
 * Lends the core of this thread to `use`, which has its memory to itself.
 * @throws OutOfMemoryError
 */
export function withCore<Result>(use: (lease: Lease) => Result): Result {
  const lease = idle ?? newLease();
  // Should something fail, nobody knows what the core was doing.
  idle = undefined;
  try {
    const result = use(lease);
    lease.host = undefined;
    if (lease.core.memory.buffer.byteLength <= MOST_KEPT) idle = lease;
    return result;
  } catch (error) {
    if (error instanceof RuntimeError && error.message === 'unreachable')
      throw new OutOfMemoryError('there is not enough memory for the body', { cause: error });
    throw error;
  }
}

/** Copies bytes into the core; answers where they are. */
export function place(core: Core, bytes: Uint8Array): number {
  const at = core.room(bytes.length) >>> 0;
  new Uint8Array(core.memory.buffer, at, bytes.length).set(bytes);
  return at;
}

function newLease(): Lease {
  const asked: { host: Host | undefined } = { host: undefined };
  const host = (): Host => {
    if (asked.host === undefined) throw new Error('the core asks nobody');
    return asked.host;
  };
  const imports: Host = {
    key: (parent, text, length) => host().key(parent, text, length),
    longKey: (parent, text, length) => host().longKey(parent, text, length),
    collided: (node, parent, raw, length) => host().collided(node, parent, raw, length),
    known: (parent, raw, length) => host().known(parent, raw, length),
    field: (node) => host().field(node),
    refuse: (field, type) => host().refuse(field, type),
    dropName: (node) => host().dropName(node),
    dropped: (stored) => host().dropped(stored),
    timeOfText: (declared, text, length) => host().timeOfText(declared, text, length),
    timeOfInteger: (declared, value) => host().timeOfInteger(declared, value),
    timeOfNumber: (declared, text, length) => host().timeOfNumber(declared, text, length),
    timeOfOther: (declared, byte) => host().timeOfOther(declared, byte),
    timeless: (at, declared) => host().timeless(at, declared),
    float: (text, length) => host().float(text, length),
    floatText: (value, to) => host().floatText(value, to),
  };
  const core = new Instance(coreModule(), { host: { ...imports } }).exports as unknown as Core;
  core.setSeed(crypto.getRandomValues(new BigUint64Array(1))[0]!);
  return Object.assign(asked, { core });
}
