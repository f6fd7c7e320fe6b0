import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { basename, dirname } from 'node:path';
import type { ProfileLine } from './result.js';

const shownCount = 8;

/**
 * Samples in which nothing ran. Work that waits for the disk has many; they belong to no function.
 */
const nothing = new Set(['(idle)', '(root)']);

/**
 * The functions in which the work spends most of its time, without the functions they call.
 * @param path of the file for the whole profile (`.cpuprofile`), which browsers and editors can
 * open
 */
export async function profileOf(path: string, work: () => unknown): Promise<readonly ProfileLine[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.cpuprofile`, JSON.stringify(profile));
  const hits = new Map<string, { readonly name: string; readonly place: string; count: number }>();
  let all = 0;
  for (const { callFrame, hitCount = 0 } of profile.nodes) {
    const { functionName, url, lineNumber } = callFrame;
    // For WebAssembly, the function name follows the path of its file, without lines.
    const isCompiled = url.startsWith('wasm:');
    const name = (isCompiled ? basename(functionName) : functionName) || '(anonymous)';
    if (nothing.has(name)) continue;
    const place = isCompiled
      ? `${basename(dirname(functionName))}.ts`
      : url === ''
        ? ''
        : `${basename(url)}:${lineNumber + 1}`;
    const key = `${name} ${place}`;
    const line = hits.get(key) ?? { name, place, count: 0 };
    line.count += hitCount;
    hits.set(key, line);
    all += hitCount;
  }
  return [...hits.values()]
    .toSorted((a, b) => b.count - a.count)
    .slice(0, shownCount)
    .map(({ name, place, count }) => ({ name, place, share: all === 0 ? 0 : count / all }));
}
