import type { FunctionRecord } from '../define.js';
import { conversations } from './conversation.js';
import { costs } from './cost.js';
import { tokenFunctions } from './tokens.js';

export const functions: readonly FunctionRecord[] = [...conversations, ...tokenFunctions, ...costs];
