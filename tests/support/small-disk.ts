import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A disk that really becomes full: a small file system in memory. */
export interface SmallDisk {
  /** False if this process may not mount one, which only root may; prints a message then. */
  readonly mounted: boolean;
  readonly path: string;
  /** Fills the disk completely. */
  fill(): void;
  /** Fills the disk except for this many bytes. */
  fillUpTo(bytes: number): void;
  /** Frees the space that `fill` and `fillUpTo` used. */
  makeRoom(): void;
  end(): void;
}

const megabyte = 1 << 20;

/** @param path where; it is not there yet */
export function mountSmallDisk(path: string, megabytes = 200): SmallDisk {
  mkdirSync(path);
  const filler = join(path, 'filler');
  return {
    mounted: isMounted(path, megabytes),
    path,
    fill: () => {
      const file = openSync(filler, 'w');
      const bytes = Buffer.alloc(megabyte);
      try {
        for (;;) writeSync(file, bytes);
      } catch {
        closeSync(file);
      }
    },
    fillUpTo: (bytes) => {
      const file = openSync(filler, 'w');
      // In pieces: others may write at the same time.
      for (let more = 1; more > 0;) {
        const { bavail, bsize } = statfsSync(path);
        more = Math.min(megabyte, bavail * bsize - bytes);
        if (more > 0) writeSync(file, Buffer.alloc(more));
      }
      closeSync(file);
    },
    makeRoom: () => rmSync(filler),
    end: () => void execFileSync('umount', ['-l', path]),
  };
}

function isMounted(path: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('skipped: a test of a full disk needs the right to mount a file system in memory');
    return false;
  }
}
