#!/usr/bin/env node
import { serve } from './serve.js';

const [command = 'serve', ...args] = process.argv.slice(2);

if (command === 'serve') {
  process.exitCode = await serve(args, process.env);
} else {
  process.stderr.write(`millrace: unknown command '${command}'; try: millrace serve\n`);
  process.exitCode = 2;
}
