/** Adds the matchers to `expect` of jest: `import '@millrace/testing/jest'`. */
import { expect } from '@jest/globals';
import { type MillraceMatchers, matchers } from './matchers.js';

expect.extend(matchers);

declare module 'expect' {
  // oxlint-disable-next-line typescript/no-empty-object-type, eslint/no-unused-vars
  interface Matchers<R extends void | Promise<void>, T> extends MillraceMatchers {}
}

declare global {
  // Types of the global `expect`, from `@types/jest`.
  // oxlint-disable-next-line typescript/no-namespace
  namespace jest {
    // oxlint-disable-next-line typescript/no-empty-object-type, eslint/no-unused-vars
    interface Matchers<R, T> extends MillraceMatchers {}
  }
}

export * from './index.js';
