/**
 * From now on, files that this process and its children make are readable by their owner only:
 * events, hashes of tokens, wherever the directory is.
 */
export const keepFilesPrivate = (): void => void process.umask(0o077);
