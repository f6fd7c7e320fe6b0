import type { Need } from '../needs.js';
import type { Plan } from './nodes.js';
import { innerPlansOf, inputsOf, scalarsOf } from './rewrite.js';
import { partsOf, type Scalar } from './scalar.js';

/**
 * Adds what the expressions of a plan need. A column that nobody asks for is no longer in it, and
 * needs nothing.
 */
export function addNeedsOf(plan: Plan, needs: Set<Need>): void {
  if (plan.kind === 'sample') needs.add('chance');
  for (const scalar of scalarsOf(plan)) addNeedsIn(scalar, needs);
  for (const part of [...inputsOf(plan), ...innerPlansOf(plan)]) addNeedsOf(part, needs);
}

function addNeedsIn(scalar: Scalar, needs: Set<Need>): void {
  switch (scalar.kind) {
    case 'call':
      if (scalar.overload.isRandom === true) needs.add('chance');
      if (scalar.overload.looksAround === true) needs.add('other-rows');
      break;
    case 'inPlan':
    case 'scalarPlan':
      needs.add('other-rows');
      break;
    case 'constant':
    case 'column':
    case 'convert':
      break;
  }
  for (const part of partsOf(scalar)) addNeedsIn(part, needs);
}
