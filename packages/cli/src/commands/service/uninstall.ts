import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../../command/command.js';
import { Failure } from '../../failure.js';
import { environmentPath, unitPath } from '../../service/unit.js';
import { jsonOption } from '../json-option.js';
import { requireOwnUnit, rootOption } from './written-unit.js';

export const serviceUninstall = command({
  name: 'service uninstall',
  summary: 'Remove the systemd unit of a server.',
  description: `Removes ${unitPath}; the data and ${environmentPath} stay. Stop the server first.`,
  options: { root: rootOption, json: jsonOption },
  examples: [{ command: 'sudo millrace service uninstall', doc: 'After sudo systemctl disable --now millrace' }],
  run: async ({ io, options: { root, json } }) => {
    const unit = join(root, unitPath);
    if (!existsSync(unit)) throw new Failure('not-found', `${unit} not found; no service is installed`);
    requireOwnUnit(unit, root);
    rmSync(unit);
    await io.out.write(
      json
        ? `${JSON.stringify({ removed: unit })}\n`
        : `Removed: ${unit}. The data and ${environmentPath} are still there. Next:\n\n  systemctl daemon-reload\n\n`,
    );
    return 'done';
  },
});
