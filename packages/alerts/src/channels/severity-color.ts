import type { Notification } from '../outbox/notification.js';

const colors = { info: 0x1264a3, warning: 0xecb22e, error: 0xe01e5a, critical: 0x8b0000 } as const;
const resolvedColor = 0x2eb67d;

/** Color of a message: by severity, and green for a resolution. */
export const colorOf = ({ action, severity }: Pick<Notification, 'action' | 'severity'>): number =>
  action === 'Closed' ? resolvedColor : colors[severity];

/** `#e01e5a` */
export const hexColorOf = (notification: Pick<Notification, 'action' | 'severity'>): string =>
  `#${colorOf(notification).toString(16).padStart(6, '0')}`;
