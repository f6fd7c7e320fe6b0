import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Tests run the packages' sources. The encoder's core is the one part that has to be compiled; this does so if it changed, even for `npx vitest run`. */
export function setup(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../packages/events/build-encoder.js')], {
    stdio: 'inherit',
  });
}
