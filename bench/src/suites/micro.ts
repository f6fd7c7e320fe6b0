import type { Suite } from '../world.js';
import { measureCompiler } from './micro-compiler.js';
import { measureEncoder } from './micro-encoder.js';
import { measureLog } from './micro-log.js';
import { measureOtlp } from './micro-otlp.js';

/** Measures single parts of the server, and profiles them. */
export const microSuite: Suite = async (context) => {
  await measureEncoder(context);
  await measureOtlp(context);
  await measureCompiler(context);
  await measureLog(context);
};
