import { spawn } from 'node:child_process';
import type { Output } from '../io.js';

/** Programs that open an address in the user's browser. Windows is no platform of the engine. */
const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', linux: 'xdg-open' };

/**
 * Opens an address in the browser, which outlives this process.
 * @returns whether a program took the address
 */
export async function openBrowser(url: string, opener = openers[process.platform]): Promise<boolean> {
  if (opener === undefined) return false;
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  child.unref();
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
}

/** Opens a printed link in the browser, or prints that the user has to. */
export async function showInBrowser(link: string, err: Pick<Output, 'write'>): Promise<void> {
  if (!(await openBrowser(link))) await err.write('no browser found; open the link yourself\n');
}
