import { packageModules } from './tests/built-modules.ts';
import { quickFiles } from './tests/quick-files.ts';
import whole from './vitest.config.ts';

/** `npm run test:quick`: its script compiles the packages; it may run beside other work. */
export default {
  ...whole,
  plugins: [packageModules({ prefersBuild: true })],
  test: { ...whole.test, globalSetup: [], include: [...quickFiles()], maxWorkers: 2 },
};
