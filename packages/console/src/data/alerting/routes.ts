import type { AnswerOf } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api.js';
import { useAllowed } from '../catalog.js';

/** The table of notification routes. */

export type RouteTable = AnswerOf<'getNotificationRoutes'>;
export type NotificationRoute = RouteTable['routes'][number];
export type RoutesTest = AnswerOf<'testNotificationRoutes'>;

export function useRoutes() {
  const enabled = useAllowed({ org: 'notifiers', action: 'read' });
  return useQuery({
    queryKey: ['alerts', 'routes'],
    queryFn: ({ signal }) => api.call('getNotificationRoutes', { signal }),
    enabled,
  });
}
