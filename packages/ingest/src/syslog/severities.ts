/**
 * Names of severities and facilities by their numbers, which together are the priority of a message
 * (RFC 5424).
 */

const severities = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'] as const;

const facilities = [
  'kern',
  'user',
  'mail',
  'daemon',
  'auth',
  'syslog',
  'lpr',
  'news',
  'uucp',
  'cron',
  'authpriv',
  'ftp',
  'ntp',
  'audit',
  'alert',
  'clock',
  'local0',
  'local1',
  'local2',
  'local3',
  'local4',
  'local5',
  'local6',
  'local7',
] as const;

/** Decodes a priority; empty if it is invalid. */
export function priorityOf(digits: string): { readonly severity?: string; readonly facility?: string } {
  const priority = Number(digits);
  const facility = facilities[priority >> 3];
  return facility === undefined ? {} : { severity: severities[priority & 7]!, facility };
}

/** The severity of these digits; undefined if they are none. */
export const severityOf = (digits: string): string | undefined =>
  /^[0-7]$/.test(digits) ? severities[Number(digits)] : undefined;
