import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { FollowedFile } from './follow-state.js';

/** Bytes that identify the beginning of a file, and the end of what was read. */
const printBytes = 1024;
/** A line of more bytes is sent in parts. */
const longestLine = 16 * 1024 * 1024;
const newline = 0x0a;

/** Reads bytes; fewer at the end of the file. */
export async function bytesAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

/** Identifies the content of a file up to an offset. */
export async function printsOf(file: FileHandle, offset: number): Promise<Pick<FollowedFile, 'head' | 'tail'>> {
  const length = Math.min(printBytes, offset);
  return {
    head: hashOf(await bytesAt(file, 0, length)),
    tail: hashOf(await bytesAt(file, offset - length, length)),
  };
}

/** Whether a file still has the content that was sent, so that it was not truncated or replaced. */
export async function hasSentContent(file: FileHandle, { offset, head, tail }: FollowedFile): Promise<boolean> {
  if ((await file.stat()).size < offset) return false;
  const prints = await printsOf(file, offset);
  return prints.head === head && prints.tail === tail;
}

/**
 * Complete lines from an offset on, at most about `max` bytes; the last line of a file that has
 * ended needs no line end.
 */
export async function linesAt(file: FileHandle, offset: number, max: number, ended: boolean): Promise<Buffer> {
  for (let length = max; ; length = Math.min(longestLine, 4 * length)) {
    const bytes = await bytesAt(file, offset, length);
    const end = bytes.lastIndexOf(newline) + 1;
    if (end > 0) return bytes.subarray(0, end);
    if (bytes.length < length) return ended ? bytes : bytes.subarray(0, 0);
    if (length >= longestLine) return bytes;
  }
}
