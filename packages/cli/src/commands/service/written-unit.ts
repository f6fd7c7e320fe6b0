import { existsSync, readFileSync } from 'node:fs';
import { Failure } from '../../failure.js';
import { unitMark } from '../../service/unit.js';

export const rootOption = {
  type: 'text',
  metavar: 'DIR',
  default: '/',
  doc: 'Directory of another system, as for an image.',
} as const;

/**
 * Checks that a unit may be replaced or removed, and that this system has units.
 * @throws Failure
 */
export function requireOwnUnit(file: string, root: string): void {
  if (root === '/' && !existsSync('/etc/systemd'))
    throw new Failure('failed', 'this machine has no systemd; use --print to see how the server is started');
  if (root === '/' && process.getuid?.() !== 0) throw new Failure('refused', 'only root can change units; use sudo');
  if (existsSync(file) && !readFileSync(file, 'utf8').startsWith(unitMark))
    throw new Failure('failed', `${file} was not written by this command; move it away first`);
}
