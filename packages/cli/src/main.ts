#!/usr/bin/env node
import '../bin/node-version.js';
import { commands } from './commands/every-command.js';
import { processIo } from './io.js';
import { run } from './run.js';

process.exitCode = await run(process.argv.slice(2), commands, processIo());
// Standard input may never end; the command does not wait for it after its own work.
process.stdin.destroy();
// Nor for a named pipe that is still being read.
setTimeout(() => process.exit(), 500).unref();
