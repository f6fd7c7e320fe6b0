import { describeNeed } from '../access/allowed.js';
import { namingOf, type RouteNeed } from './route.js';

/** For documentation: the right a route needs and what it must be held on, as in ``the dataset capability ingest:create on `{dataset}` ``. */
export function describeRouteNeed(need: RouteNeed): string {
  const naming = namingOf(need);
  if (naming === undefined) return describeNeed(need);
  const on = naming.in === 'path' ? `\`{${naming.name}}\`` : `what the header \`${naming.name}\` names`;
  return `${describeNeed(need)} on ${on}`;
}
