import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The path, or the closest existing one above it, where a missing directory would be created. */
export async function closestExisting(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined || dirname(path) === path ? path : closestExisting(dirname(path));
}
