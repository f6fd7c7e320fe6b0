/** Adds the matchers to `expect` of vitest: `import '@millrace/testing/vitest'`. */
import { expect } from 'vitest';
import { type MillraceMatchers, matchers } from './matchers.js';

expect.extend(matchers);

declare module 'vitest' {
  // The type parameter is vitest's.
  // oxlint-disable-next-line typescript/no-empty-object-type, eslint/no-unused-vars
  interface Matchers<T> extends MillraceMatchers {}
}

export * from './index.js';
