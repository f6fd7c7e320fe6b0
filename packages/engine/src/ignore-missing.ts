/** Undefined if the file is missing; any other error is thrown. */
export const unlessMissing = <T>(file: Promise<T>): Promise<T | undefined> =>
  file.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });

/** The code of an error of the file system. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
