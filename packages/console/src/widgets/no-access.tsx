import type { ReactNode } from 'react';
import { useAccess } from '../data/catalog.js';
import { needText, type RequiredPermission } from '../data/permissions.js';
import { EmptyState, LoadingNotice } from './states.js';

/**
 * Content for users with a permission; others learn how to get it. Nothing loads until it is known.
 */
export function WithPermission({
  need,
  subject,
  children,
}: {
  readonly need: RequiredPermission | undefined;
  /** What it gives access to: `dashboards`. */
  readonly subject: string;
  readonly children: ReactNode;
}) {
  const access = useAccess(need);
  switch (access) {
    case 'allowed':
      return children;
    case 'denied':
      return <EmptyState title={`No access to ${subject}`}>{needText(need!)}. Ask an owner to grant it.</EmptyState>;
    case 'unknown':
      return <LoadingNotice />;
    default:
      return access satisfies never;
  }
}
