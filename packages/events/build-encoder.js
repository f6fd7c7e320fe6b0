/**
 * Compiles `assembly/` to `dist/encoder.wasm`, unless that is as new as what it is made from:
 *
 *     node packages/events/build-encoder.js
 */
import { mkdirSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directory = import.meta.dirname;
const sources = join(directory, 'assembly');
const output = join(directory, 'dist/encoder.wasm');
const compiler = fileURLToPath(import.meta.resolve('assemblyscript/package.json'));

/**
 * The names of functions stay, for profiles and stacks. Memory ends at 2 GiB: where the sum of an
 * address and a size can exceed 32 bits, the allocator hands out what is in use; and large bodies
 * of some threads are not to take all there is. Bulk memory is on by itself. Without an `abort` a
 * failure is a trap, and the host gives only what `assembly/host.ts` declares.
 */
const flags = [
  '-O3',
  '--debug',
  '--runtime',
  'stub',
  '--maximumMemory',
  '32768',
  '--enable',
  'simd',
  '--noAssert',
  '--use',
  'abort=',
];

/** Milliseconds, rounded because setting them loses some nanoseconds; 0 where there is nothing. */
const changed = (path) => Math.round(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);

/**
 * When anything it is made from changed last. The directory itself counts: it changes when a source
 * goes away.
 */
const newest = Math.max(
  ...[import.meta.filename, compiler, sources].map(changed),
  ...readdirSync(sources, { recursive: true }).map((name) => changed(join(sources, name))),
);

async function compile() {
  const { main } = await import('assemblyscript/asc');
  let wasm;
  const { error } = await main(['assembly/index.ts', '--baseDir', directory, '--outFile', output, ...flags], {
    stderr: process.stderr,
    writeFile: (_, contents) => (wasm = contents),
  });
  // It has said what is wrong.
  if (error !== null) process.exit(1);
  for (const { module, name } of WebAssembly.Module.imports(new WebAssembly.Module(wasm))) {
    if (module !== 'host') throw new Error(`the encoder imports ${module}.${name}, which nobody gives it`);
  }
  return wasm;
}

/**
 * Whole or not at all, for builds at the same time; dated back, so that a source saved during the
 * compilation is newer.
 */
function write(wasm) {
  const unfinished = `${output}.${process.pid}`;
  mkdirSync(join(directory, 'dist'), { recursive: true });
  writeFileSync(unfinished, wasm);
  utimesSync(unfinished, newest / 1000, newest / 1000);
  renameSync(unfinished, output);
}

if (changed(output) < newest) write(await compile());
