import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root of the repository, from the sources and from the build output. */
export const root = ((at: string): string => {
  while (!existsSync(join(at, 'package-lock.json'))) at = dirname(at);
  return at;
})(import.meta.dirname);
