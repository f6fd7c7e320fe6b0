import { findNearest } from '@millrace/apl';
import type { Monitor, NotificationRoute, Notifier } from '@millrace/client';
import { readDocument } from '../../document-file.js';
import { namedOf } from '../../find-by-name.js';
import { usage } from '../../failure.js';
import type { Io } from '../../io.js';

/** Files with the table of routes name monitors and notifiers, whose IDs differ between servers. */

interface Names {
  readonly monitors: readonly Pick<Monitor, 'id' | 'name'>[];
  readonly notifiers: readonly Pick<Notifier, 'id' | 'name'>[];
}

export function fileOf(routes: readonly NotificationRoute[], { monitors, notifiers }: Names): object {
  const nameIn = (all: Names['notifiers'], id: string): string => all.find((each) => each.id === id)?.name ?? id;
  return {
    routes: routes.map(({ monitorIds, notifierIds, escalation, ...route }) => ({
      ...route,
      ...(monitorIds !== undefined && { monitors: monitorIds.map((id) => nameIn(monitors, id)) }),
      notifiers: notifierIds.map((id) => nameIn(notifiers, id)),
      ...(escalation !== undefined && {
        escalation: {
          afterMinutes: escalation.afterMinutes,
          notifiers: escalation.notifierIds.map((id) => nameIn(notifiers, id)),
        },
      }),
    })),
  };
}

const keys = ['name', 'labels', 'severities', 'monitors', 'notifiers', 'escalation', 'continue'] as const;

/**
 * Parses a file for the API. The server validates values.
 * @throws Failure `usage` for an unknown key, `not-found` for an unknown name
 */
export async function routesIn(file: string, io: Io, names: Names): Promise<NotificationRoute[]> {
  const { routes } = await readDocument(file, io);
  if (!Array.isArray(routes)) throw usage(`${file} must have a list 'routes'`);
  return routes.map((route: unknown) => routeIn(route, names));
}

function routeIn(route: unknown, { monitors, notifiers }: Names): NotificationRoute {
  if (typeof route !== 'object' || route === null) throw usage('a route must be a JSON object');
  const unknown = Object.keys(route).find((key) => !keys.some((known) => known === key));
  if (unknown !== undefined) {
    const meant = findNearest(unknown, keys);
    throw usage(`a route has no '${unknown}'${meant === undefined ? '' : `; did you mean '${meant}'?`}`);
  }
  const { monitors: some, notifiers: notifierNames, escalation, ...rest } = route as Readonly<Record<string, unknown>>;
  const idsIn = (all: Names['notifiers'], kind: string, list: unknown): string[] => {
    if (!Array.isArray(list)) throw usage(`'${kind}s' of a route must be a list of names`);
    return list.map((name) => namedOf(all, kind, String(name)).id);
  };
  return {
    ...rest,
    ...(some !== undefined && { monitorIds: idsIn(monitors, 'monitor', some) }),
    notifierIds: idsIn(notifiers, 'notifier', notifierNames ?? []),
    ...(typeof escalation === 'object' &&
      escalation !== null && { escalation: escalationIn(escalation, (list) => idsIn(notifiers, 'notifier', list)) }),
  } as unknown as NotificationRoute;
}

function escalationIn(escalation: object, idsIn: (list: unknown) => string[]): object {
  const { notifiers, ...rest } = escalation as Readonly<Record<string, unknown>>;
  return { ...rest, notifierIds: idsIn(notifiers ?? []) };
}
