import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  chmodSync,
  readFileSync,
  renameSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';

/**
 * Test browser: headless Chromium from an npm package, so that `npm ci` suffices. Unpacked once,
 * next to the installed packages. `CHROMIUM_PATH` overrides it.
 */
async function executable(): Promise<string> {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined) return given;
  // The package does not export its files; its folder is derived from its entry point.
  const home = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../..');
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  const cache = join(home, '../../.cache/millrace-chromium');
  const path = join(cache, `chromium-${version}`);
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  // Under a temporary name until complete: two test processes may unpack concurrently.
  const unfinished = `${path}.${process.pid}`;
  const packed = createReadStream(join(home, 'bin/chromium.br'));
  await pipeline(packed, createBrotliDecompress(), createWriteStream(unfinished));
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, path);
  return path;
}

let browser: Promise<Browser> | undefined;

/** Browser of this process, closed with it. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= executable().then((executablePath) =>
    chromium.launch({
      executablePath,
      // Containers lack user namespaces for the sandbox, and a GPU. Hinting depends on the machine;
      // screenshots must not. Pages of one server share a process, which caches the compiled
      // console.
      args: [
        '--no-sandbox',
        '--no-zygote',
        '--disable-gpu',
        '--font-render-hinting=none',
        '--disable-dev-shm-usage',
        '--process-per-site',
      ],
    }),
  );
  return browser;
}
