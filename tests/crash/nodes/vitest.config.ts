import { defineConfig } from 'vitest/config';

/** Only the long tests; `npm run crash` runs the selected one. */
export default defineConfig({
  resolve: { conditions: ['millrace-source'] },
  test: { include: ['tests/crash/nodes/*.long.ts'], disableConsoleIntercept: true, reporters: ['dot'] },
});
