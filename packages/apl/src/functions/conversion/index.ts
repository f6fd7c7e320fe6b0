import type { FunctionRecord } from '../define.js';
import { functions as dynamics } from './dynamics.js';
import { functions as numbers } from './numbers.js';
import { functions as text } from './text.js';
import { functions as times } from './times.js';

export const functions: readonly FunctionRecord[] = [...text, ...numbers, ...dynamics, ...times];
