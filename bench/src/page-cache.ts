import { execFile } from 'node:child_process';
import { platform } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Smaller files are skipped: most files are smaller, they hold a thousandth of the bytes, and each
 * would take a separate process.
 */
const smallest = '+16k';

/** Whether the system can drop a file from the page cache. */
export const canForget = platform() === 'linux';

/**
 * Drops the files of a directory from the system's page cache, so that the next read comes from
 * disk. The whole cache is not dropped: all processes share it, and that needs root. Pages are
 * written first, because only clean pages can be dropped.
 */
export async function forgetFiles(directory: string): Promise<void> {
  await run('sync', ['--file-system', directory]);
  // The advice covers the complete file; nothing is read.
  const forget = ['dd', 'if={}', 'iflag=nocache', 'count=0', 'status=none'];
  const find = [directory, '-type', 'f', '-size', smallest, '-exec', ...forget, ';'];
  await run('find', find, { env: { ...process.env, LC_ALL: 'C' } }).catch((error: unknown) => {
    // The file may have been deleted: the engine removes parts at any time.
    const { stderr = '' } = error as { stderr?: string };
    const problems = stderr.split('\n').filter((line) => line !== '' && !line.endsWith('No such file or directory'));
    if (stderr === '' || problems.length > 0) throw error;
  });
}
