import type { FunctionRecord } from '../define.js';
import { geoRecord } from './geo.js';
import { ipv4Functions } from './ipv4.js';
import { ipv6Functions } from './ipv6.js';
import { addressesInText } from './text.js';

export const functions: readonly FunctionRecord[] = [...ipv4Functions, ...ipv6Functions, ...addressesInText, geoRecord];
