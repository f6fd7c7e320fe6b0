import type { Plan } from '../../plan/nodes.js';

/** Whether the query itself defines the order of the rows. */
export function isSorted(plan: Plan): boolean {
  switch (plan.kind) {
    case 'sort':
      return plan.implicit !== true;
    case 'filter':
    case 'project':
    case 'limit':
    case 'sample':
    case 'expand':
      return isSorted(plan.input);
    case 'join':
      return isSorted(plan.left);
    case 'scan':
    case 'rows':
    case 'external':
    case 'aggregate':
    case 'union':
    case 'topSeries':
      return false;
  }
}
