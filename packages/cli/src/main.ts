#!/usr/bin/env node
import '../bin/node-version.js';
import { commands } from './commands/every-command.js';
import { processIo } from './io.js';
import { run } from './run.js';

process.exitCode = await run(process.argv.slice(2), commands, processIo());
// The program that writes to standard input may go on for ever; the command does not wait for it
// once its own work is over.
process.stdin.destroy();
// Nor for one that writes to a named pipe, which is still being read.
setTimeout(() => process.exit(), 500).unref();
