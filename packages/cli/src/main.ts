#!/usr/bin/env node
import { commands } from './commands/table.js';
import { processIo } from './io.js';
import { run } from './run.js';

process.exitCode = await run(process.argv.slice(2), commands, processIo());
