#!/usr/bin/env node
import { commands } from './commands/table.js';
import { processIo } from './io.js';
import { run } from './run.js';

process.exitCode = await run(process.argv.slice(2), commands, processIo());
// Whoever writes to this command may go on for ever; it does not wait for them once it has failed.
process.stdin.destroy();
