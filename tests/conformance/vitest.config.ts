import { mergeConfig } from 'vitest/config';
import everything from '../../vitest.config.ts';

/** The conformance suite, including the programs that need other tool chains than Node. */
const config = mergeConfig(everything, {});
config.test = { ...config.test, include: ['tests/conformance/**/*.test.ts', 'tests/conformance/**/*.clients.ts'] };

export default config;
