/**
 * Makes new files of this process and its children readable by their owner only: they hold events
 * and token hashes.
 */
export const keepFilesPrivate = (): void => void process.umask(0o077);
