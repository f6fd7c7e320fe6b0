import type { FunctionRecord } from '../define.js';
import { functions as bytes } from './bytes.js';
import { functions as combine } from './combine.js';
import { functions as encoding } from './encoding.js';
import { functions as lengthAndCase } from './length-and-case.js';
import { functions as parsing } from './parsing.js';
import { functions as paths } from './paths.js';
import { functions as presence } from './presence.js';
import { functions as regex } from './regex.js';
import { functions as search } from './search.js';
import { functions as trim } from './trim.js';
import { functions as urls } from './urls.js';
import { userAgent } from './user-agent.js';
import { version } from './versions.js';
import { xml } from './xml.js';

export const functions: readonly FunctionRecord[] = [
  ...presence,
  ...lengthAndCase,
  ...combine,
  ...search,
  ...regex,
  ...trim,
  ...encoding,
  ...urls,
  ...paths,
  ...bytes,
  ...parsing,
  userAgent,
  version,
  xml,
];
