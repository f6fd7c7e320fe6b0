import type { Random } from './random.js';

/** A disk writes a sector completely or, when the power fails, up to some byte. */
const sectorBytes = 512;

type Change =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly length: number };

/** A file: the bytes a process reads, the bytes on the platter, and the changes between the two. */
export class MemoryInode {
  #current: Uint8Array = new Uint8Array(0);
  #durable: Uint8Array = new Uint8Array(0);
  #unsyncedChanges: Change[] = [];

  get bytes(): Uint8Array {
    return this.#current;
  }

  change(change: Change): void {
    this.#current = applyChange(this.#current, change);
    this.#unsyncedChanges.push(change);
  }

  sync(): void {
    // Only writes since the last sync: data lost by a failed sync stays lost.
    this.#durable = this.#unsyncedChanges.reduce(applyChange, this.#durable);
    this.#unsyncedChanges = [];
  }

  /**
   * The kernel reports the failure once and marks the pages clean: later syncs do not write the
   * lost data.
   */
  failSync(random: Random): void {
    this.#durable = this.#survivingPowerCut(random);
    this.#unsyncedChanges = [];
  }

  /** The file as another process sees it after the writing one was killed. */
  copy(): MemoryInode {
    const copy = new MemoryInode();
    copy.#current = this.#current;
    copy.#durable = this.#durable;
    copy.#unsyncedChanges = [...this.#unsyncedChanges];
    return copy;
  }

  /** The file as it is found after a power cut. */
  afterPowerCut(random: Random): MemoryInode {
    const copy = new MemoryInode();
    copy.#durable = this.#survivingPowerCut(random);
    copy.#current = copy.#durable;
    return copy;
  }

  /**
   * Any unsynced change may or may not have reached the disk, each of its sectors independently and
   * in any order.
   */
  #survivingPowerCut(random: Random): Uint8Array {
    let bytes = this.#durable;
    const keep = random() < 0.3 ? (random() < 0.5 ? 0 : 1) : random();
    for (const change of this.#unsyncedChanges) {
      if (change.kind === 'truncate') {
        if (random() < keep) bytes = applyChange(bytes, change);
        continue;
      }
      for (const sector of sectors(change)) {
        if (random() >= keep) continue;
        const torn = random() < 0.1 ? Math.floor(random() * sector.bytes.length) : sector.bytes.length;
        if (torn > 0) bytes = applyChange(bytes, { ...sector, bytes: sector.bytes.subarray(0, torn) });
      }
    }
    return bytes;
  }
}

type Write = Extract<Change, { readonly kind: 'write' }>;

function* sectors({ offset, bytes }: Write): Generator<Write> {
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + sectorBytes - ((offset + at) % sectorBytes));
    yield { kind: 'write', offset: offset + at, bytes: bytes.subarray(at, end) };
    at = end;
  }
}

/** A copy with the change made; a gap reads as zeros. */
function applyChange(bytes: Uint8Array, change: Change): Uint8Array {
  if (change.kind === 'truncate') {
    const shorter = new Uint8Array(change.length);
    shorter.set(bytes.subarray(0, change.length));
    return shorter;
  }
  const longer = new Uint8Array(Math.max(bytes.length, change.offset + change.bytes.length));
  longer.set(bytes);
  longer.set(change.bytes, change.offset);
  return longer;
}

/**
 * A directory: the names a process sees, the names on the platter, and the changes between, which
 * keep their order.
 */
export class MemoryDirectory {
  #current: ReadonlyMap<string, MemoryInode> = new Map();
  #durable: ReadonlyMap<string, MemoryInode> = new Map();
  #unsyncedEntries: ReadonlyMap<string, MemoryInode>[] = [];

  get entries(): ReadonlyMap<string, MemoryInode> {
    return this.#current;
  }

  change(make: (entries: Map<string, MemoryInode>) => void): void {
    const entries = new Map(this.#current);
    make(entries);
    this.#current = entries;
    this.#unsyncedEntries.push(entries);
  }

  sync(): void {
    this.#durable = this.#current;
    this.#unsyncedEntries = [];
  }

  copy(inode: (inode: MemoryInode) => MemoryInode): MemoryDirectory {
    const copyEntries = (entries: ReadonlyMap<string, MemoryInode>): ReadonlyMap<string, MemoryInode> =>
      new Map([...entries].map(([name, content]) => [name, inode(content)]));
    const copy = new MemoryDirectory();
    copy.#current = copyEntries(this.#current);
    copy.#durable = copyEntries(this.#durable);
    copy.#unsyncedEntries = this.#unsyncedEntries.map(copyEntries);
    return copy;
  }

  /** A journal replays a prefix of the unsynced operations. */
  afterPowerCut(random: Random): MemoryDirectory {
    const states = [this.#durable, ...this.#unsyncedEntries];
    const kept = states[Math.floor(random() * states.length)]!;
    const copy = new MemoryDirectory();
    copy.#durable = new Map([...kept].map(([name, inode]) => [name, inode.afterPowerCut(random)]));
    copy.#current = copy.#durable;
    return copy;
  }
}
