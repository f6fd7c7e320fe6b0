import { execFile } from 'node:child_process';
import { platform } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Smaller files are left alone: most files are smaller, they hold a thousandth of the bytes, and
 * each would take a process of its own.
 */
const smallest = '+16k';

/** Whether the system can be told to forget a file. */
export const canForget = platform() === 'linux';

/**
 * Drops the files of a directory from the system's page cache, so that they are read from disk next
 * time. Only these files, because the cache is shared by everybody on the machine, and dropping all
 * of it takes rights. Pages are written first: only clean ones can be dropped.
 */
export async function forgetFiles(directory: string): Promise<void> {
  await run('sync', ['--file-system', directory]);
  // Gives advice about the whole file; nothing is read.
  const forget = ['dd', 'if={}', 'iflag=nocache', 'count=0', 'status=none'];
  const find = [directory, '-type', 'f', '-size', smallest, '-exec', ...forget, ';'];
  await run('find', find, { env: { ...process.env, LC_ALL: 'C' } }).catch((error: unknown) => {
    // A file may be gone: the engine removes parts at any time.
    const { stderr = '' } = error as { stderr?: string };
    const problems = stderr.split('\n').filter((line) => line !== '' && !line.endsWith('No such file or directory'));
    if (stderr === '' || problems.length > 0) throw error;
  });
}
