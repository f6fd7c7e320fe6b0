import { usage } from '../../failure.js';
import { didYouMean } from '../../command/suggest.js';
import type { Capabilities, Rights } from './token.js';

/** Permissions on the command line: `logs:ingest,query`, `*:query`, `apiTokens.read`. */

/** Resource → actions. */
type Resources = Readonly<Record<string, readonly string[]>>;

/**
 * `['logs:ingest,query']` → `{logs: {ingest: ['create'], query: ['read']}}`.
 * @throws Failure `usage`
 */
export function scopedRights(option: string, given: readonly string[], resources: Resources): Capabilities {
  const capabilities: Record<string, Rights> = {};
  for (const text of given) {
    const at = text.lastIndexOf(':');
    if (at <= 0) throw usage(`${option}: expected NAME:RIGHTS, as in logs:ingest,query, not '${text}'`);
    const name = text.slice(0, at);
    capabilities[name] = mergeActions(capabilities[name] ?? {}, rights(option, text.slice(at + 1), resources));
  }
  return capabilities;
}

/**
 * `['apiTokens.read', 'datasets']` → `{apiTokens: ['read'], datasets: ['create', …]}`.
 * @throws Failure `usage`
 */
export const plainRights = (option: string, given: readonly string[], resources: Resources): Rights =>
  given.map((text) => rights(option, text, resources)).reduce(mergeActions, {});

/** A resource without action means all its actions; `all` means every resource. */
function rights(option: string, text: string, resources: Resources): Rights {
  const given: Record<string, readonly string[]> = {};
  for (const part of text.split(',')) {
    if (part === 'all') return resources;
    const [resource = '', action] = part.split('.');
    const actions = Object.hasOwn(resources, resource) ? resources[resource] : undefined;
    if (actions === undefined) {
      const names = Object.keys(resources);
      throw usage(
        `${option}: no such right: '${resource}'${didYouMean(resource, names)}; there are ${names.join(', ')}, all`,
      );
    }
    if (action !== undefined && !actions.includes(action)) {
      throw usage(`${option}: ${resource} has no '${action}', only ${actions.join(', ')}`);
    }
    given[resource] = [...new Set([...(given[resource] ?? []), ...(action === undefined ? actions : [action])])];
  }
  return given;
}

function mergeActions(a: Rights, b: Rights): Rights {
  const both: Record<string, readonly string[]> = { ...a };
  for (const [resource, actions] of Object.entries(b))
    both[resource] = [...new Set([...(both[resource] ?? []), ...actions])];
  return both;
}
