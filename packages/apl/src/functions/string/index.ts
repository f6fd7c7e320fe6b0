import type { FunctionRecord } from '../define.js';
import { functions as combine } from './combine.js';
import { functions as lengthAndCase } from './length-and-case.js';
import { functions as presence } from './presence.js';
import { functions as regex } from './regex.js';
import { functions as search } from './search.js';
import { functions as trim } from './trim.js';

export const functions: readonly FunctionRecord[] = [
  ...presence,
  ...lengthAndCase,
  ...combine,
  ...search,
  ...regex,
  ...trim,
];
