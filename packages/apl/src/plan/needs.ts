import type { Need } from '../model/needs.js';
import type { Plan } from './nodes.js';
import { innerPlansOf, inputsOf, scalarsOf } from './rewrite.js';
import { partsOf, type Scalar } from './scalar.js';

/**
 * Adds the needs of the expressions in a plan. Unused columns are pruned before and need nothing.
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
