import { mergeConfig } from 'vitest/config';
import everything from '../../vitest.config.ts';

/** The conformance suite with what other tool chains run beside Node. */
const config = mergeConfig(everything, {});
config.test = { ...config.test, include: ['tests/conformance/**/*.test.ts', 'tests/conformance/**/*.clients.ts'] };

export default config;
