import { defineConfig } from 'vitest/config';

/** Only the long story, which `npm run crash -- --nodes` tells. */
export default defineConfig({
  resolve: { conditions: ['millrace-source'] },
  test: { include: ['tests/crash/nodes/story.long.ts'], disableConsoleIntercept: true, reporters: ['dot'] },
});
