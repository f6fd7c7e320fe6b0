import { defineConfig } from 'vitest/config';
import { packageModules } from '../../built-modules.ts';

/** The condition `module` is left out, as in the other tests. */
const conditions = ['node', 'development|production'];

/** Only the long tests; `npm run crash` runs the selected one. */
export default defineConfig({
  plugins: [packageModules({ prefersBuild: false })],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: { include: ['tests/crash/nodes/*.long.ts'], disableConsoleIntercept: true, reporters: ['dot'] },
});
