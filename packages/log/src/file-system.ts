/**
 * The file system calls that the log needs. Two implementations pass one test suite: the real one,
 * and an in-memory twin that retains only synced data. Calls reject with errors that have the errno
 * name in `code`.
 */
export interface LogFileSystem {
  /**
   * `create` makes a new file and fails with EEXIST when there is one; the others need an existing
   * file.
   */
  open(path: string, mode: 'read' | 'update' | 'create'): Promise<LogFile>;
  /**
   * Names (not paths) of the entries of a directory, in no particular order. ENOENT when it does
   * not exist.
   */
  list(directory: string): Promise<readonly string[]>;
  /** Creates a directory with its parents, durably; nothing happens when it exists. */
  makeDirectory(path: string): Promise<void>;
  /** Atomic; replaces `to`. Durable only after `syncDirectory`. */
  rename(from: string, to: string): Promise<void>;
  /** Durable only after `syncDirectory`. */
  remove(path: string): Promise<void>;
  /**
   * Makes the creations, renames and removals done so far in this directory survive a power cut.
   */
  syncDirectory(path: string): Promise<void>;
  /**
   * Locks the directory for this process.
   * @throws LogError `locked` naming the owner
   */
  lock(directory: string): Promise<DirectoryLock>;
}

export interface LogFile {
  /**
   * Writes all chunks one after the other from `offset`, retrying short writes; not durable until
   * `sync`.
   */
  write(chunks: readonly Uint8Array[], offset: number): Promise<void>;
  /**
   * Fills `target` from `offset`; returns the number of bytes read, fewer only at the end of the
   * file.
   */
  read(target: Uint8Array, offset: number): Promise<number>;
  /** fdatasync: the file's bytes and length are on disk when it resolves. */
  sync(): Promise<void>;
  /**
   * Cuts the file; its new length and all its bytes are on disk when it resolves, also if it had
   * this length before.
   */
  truncate(length: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

export interface DirectoryLock {
  release(): Promise<void>;
}
