#!/usr/bin/env node
// npm links only commands whose file exists when it installs: this one does, before anything is
// built.
import './node-version.js';
import { existsSync } from 'node:fs';

const built = new URL('../dist/bundle/millrace.js', import.meta.url);
if (existsSync(built)) await import(built);
else {
  process.stderr.write('millrace: not built yet; run npm run build\n');
  process.exitCode = 1;
}
