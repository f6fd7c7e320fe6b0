import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** Memory of pages. */
interface PageMemory {
  /** Bytes of JavaScript objects after garbage collection. */
  readonly heap: number;
  readonly nodes: number;
  /** Resident bytes of the page processes with their workers, including the browser's program. */
  readonly resident: number;
  /** Of these, anonymous memory: what the pages cause. */
  readonly own: number;
}

/** Memory of a page, and of all page processes of this machine. */
export async function memoryOf(page: Page): Promise<PageMemory> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('Performance.enable');
  const { metrics } = await devtools.send('Performance.getMetrics');
  await devtools.detach();
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  return { heap, nodes, resident: renderersHold('VmRSS'), own: renderersHold('RssAnon') };
}

function renderersHold(line: 'VmRSS' | 'RssAnon'): number {
  let bytes = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')) continue;
      const [, kilobytes = '0'] =
        new RegExp(`${line}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      bytes += Number(kilobytes) * 1024;
    } catch {
      // The process has exited.
    }
  return bytes;
}
