/**
 * Compiles `assembly/` to `dist/encoder.wasm`, unless that is up to date:
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
 * Function names are included for profiles and stack traces. Memory is limited to 1 GiB
 * (`MAX_CORE_BYTES` in `src/limits.ts`), so that large bodies do not exhaust the machine; above 2
 * GiB the sum of an address and a size could exceed 32 bits. Bulk memory is enabled by default.
 * Without `abort`, a failure is a trap, and the host provides only the functions declared in
 * `assembly/host.ts`.
 */
const flags = [
  '-O3',
  '--debug',
  '--runtime',
  'stub',
  '--maximumMemory',
  '16384',
  '--enable',
  'simd',
  '--noAssert',
  '--use',
  'abort=',
];

/** Milliseconds, rounded because setting them loses some nanoseconds; 0 where there is nothing. */
const changeTime = (path) => Math.round(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);

/**
 * When any source changed last. The directory itself counts: it changes when a source is deleted.
 */
const newest = Math.max(
  ...[import.meta.filename, compiler, sources].map(changeTime),
  ...readdirSync(sources, { recursive: true }).map((name) => changeTime(join(sources, name))),
);

async function compile() {
  const { main } = await import('assemblyscript/asc');
  let wasm;
  const { error } = await main(['assembly/index.ts', '--baseDir', directory, '--outFile', output, ...flags], {
    stderr: process.stderr,
    writeFile: (_, contents) => (wasm = contents),
  });
  // The compiler has printed the error.
  if (error !== null) process.exit(1);
  for (const { module, name } of WebAssembly.Module.imports(new WebAssembly.Module(wasm))) {
    if (module !== 'host') throw new Error(`the encoder imports ${module}.${name}, which nobody gives it`);
  }
  return wasm;
}

/**
 * Writes atomically, for concurrent builds; dated back, so that a source saved during the
 * compilation is newer.
 */
function write(wasm) {
  const unfinished = `${output}.${process.pid}`;
  mkdirSync(join(directory, 'dist'), { recursive: true });
  writeFileSync(unfinished, wasm);
  utimesSync(unfinished, newest / 1000, newest / 1000);
  renameSync(unfinished, output);
}

if (changeTime(output) < newest) write(await compile());
