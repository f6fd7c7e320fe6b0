import { execFile } from 'node:child_process';
import { platform } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Smaller files hold a thousandth of the bytes and are most of the files, each a process to forget it. */
const smallest = '+16k';

/** Whether the system can be told to forget a file. */
export const canForget = platform() === 'linux';

/**
 * Takes what lies in a directory out of the system's cache of files, so that it is read from disk next time. Only these files: the whole
 * cache belongs to everybody on the machine, and dropping it takes rights. Pages are written before, as only clean ones go.
 */
export async function forgetFiles(directory: string): Promise<void> {
  await run('sync', ['--file-system', directory]);
  // Advice about the whole file; nothing is read.
  const forget = ['dd', 'if={}', 'iflag=nocache', 'count=0', 'status=none'];
  const find = [directory, '-type', 'f', '-size', smallest, '-exec', ...forget, ';'];
  await run('find', find, { env: { ...process.env, LC_ALL: 'C' } }).catch((error: unknown) => {
    // The engine removes parts at any time.
    const { stderr = '' } = error as { stderr?: string };
    const problems = stderr.split('\n').filter((line) => line !== '' && !line.endsWith('No such file or directory'));
    if (stderr === '' || problems.length > 0) throw error;
  });
}
