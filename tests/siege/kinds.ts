import type { Kind } from './attack.js';
import { answers } from './kinds/answers.js';
import { bodies } from './kinds/bodies.js';
import { collections } from './kinds/collections.js';
import { connections } from './kinds/connections.js';
import { features } from './kinds/features.js';
import { folding } from './kinds/folding.js';
import { grpc } from './kinds/grpc.js';
import { metrics } from './kinds/metrics.js';
import { names } from './kinds/names.js';
import { nesting } from './kinds/nesting.js';
import { protocols } from './kinds/protocols.js';
import { rights } from './kinds/rights.js';
import { statements } from './kinds/statements.js';
import { waiting } from './kinds/waiting.js';

/** Every kind of attack. A kind is a file and a line here. */
export const kinds: Readonly<Record<string, Kind>> = {
  answers,
  bodies,
  collections,
  connections,
  folding,
  grpc,
  metrics,
  names,
  nesting,
  protocols,
  rights,
  statements,
  waiting,
  // Last, because it deletes data that the others query.
  features,
};
