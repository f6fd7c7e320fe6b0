import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Tests run the packages' sources; the part of them that is compiled is compiled again if it changed, also for `npx vitest run`. */
export function setup(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../packages/events/build-encoder.js')], {
    stdio: 'inherit',
  });
}
