import { describeNeed } from '../access/allowed.js';
import { namingOf, type RouteNeed } from './route.js';

/** What a route needs, and on what: ``the dataset capability ingest:create on `{dataset}` ``, for documentation. */
export function describeRouteNeed(need: RouteNeed): string {
  const naming = namingOf(need);
  if (naming === undefined) return describeNeed(need);
  const on = naming.in === 'path' ? `\`{${naming.name}}\`` : `what the header \`${naming.name}\` names`;
  return `${describeNeed(need)} on ${on}`;
}
