import type { LogFile, LogFileSystem } from './file-system.js';

/** Opens a file while `use` runs. */
export async function useFile<T>(
  fileSystem: LogFileSystem,
  path: string,
  mode: Parameters<LogFileSystem['open']>[1],
  use: (file: LogFile) => Promise<T>,
): Promise<T> {
  const file = await fileSystem.open(path, mode);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
