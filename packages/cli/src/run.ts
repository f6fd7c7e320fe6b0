import { helpText } from './command/help.js';
import type { Command } from './command/command.js';
import { parse } from './command/parse.js';
import { connect } from './connection/client.js';
import { type Exit, exitCodes } from './exit-codes.js';
import { isFailure } from './failure.js';
import { isSystemError, messageOf } from './system-errors.js';
import { type Io, styleText } from './io.js';
import { version } from './version.js';

/**
 * Runs one command line.
 * @returns the exit code
 */
export async function run(argv: readonly string[], table: readonly Command[], io: Io): Promise<number> {
  return exitCodes[await exitOf(argv, table, io)].code;
}

async function exitOf(argv: readonly string[], table: readonly Command[], io: Io): Promise<Exit> {
  try {
    const parsed = parse(argv, table);
    switch (parsed.kind) {
      case 'help':
        await io.out.write(await helpText(parsed.of, table));
        return 'done';
      case 'version':
        await io.out.write(`${version()}\n`);
        return 'done';
      case 'call': {
        const { command, args, options, rest } = parsed;
        // Both were parsed by the command's own records.
        const call = { args, options, rest, io, connect: () => connect(options, io) };
        return await command.run(call as Parameters<Command['run']>[0]);
      }
    }
  } catch (error) {
    // System errors, such as a full disk, are not bugs.
    const failure = isFailure(error) || isSystemError(error);
    if (!failure) throw error;
    await io.err.write(`${styleText(io.err, 'red', 'millrace:')} ${messageOf(error)}\n`);
    return isFailure(error) ? error.exit : 'failed';
  }
}
