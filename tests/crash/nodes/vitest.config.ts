import { defineConfig } from 'vitest/config';

/** Only the long stories, of which `npm run crash` tells the one that is asked for. */
export default defineConfig({
  resolve: { conditions: ['millrace-source'] },
  test: { include: ['tests/crash/nodes/*.long.ts'], disableConsoleIntercept: true, reporters: ['dot'] },
});
