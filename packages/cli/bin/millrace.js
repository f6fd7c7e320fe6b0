#!/usr/bin/env node
// npm links commands when it installs, and only those whose file is there: this one is, before
// anything is built.
import { existsSync } from 'node:fs';

const built = new URL('../dist/main.js', import.meta.url);
if (existsSync(built)) await import(built);
else {
  process.stderr.write('millrace: not built yet; run npm run build\n');
  process.exitCode = 1;
}
