import type { Attempt, Mail } from '../channels/channel.js';
import { connectionProblem } from '@millrace/runtime/connection-problem';
import type { Settings } from '@millrace/http/settings/settings';

export type SmtpSettings = Pick<
  Settings,
  'smtpHost' | 'smtpPort' | 'smtpTls' | 'smtpUser' | 'smtpPassword' | 'smtpFrom' | 'notifyTimeout'
>;

/** Hands one message to the mail server of the settings. Never throws. */
export async function sendMail(mail: Mail, settings: SmtpSettings): Promise<Attempt> {
  const { smtpHost: host, smtpFrom: from } = settings;
  if (host === undefined || from === undefined)
    return { kind: 'failed', problem: 'e-mail needs a mail server: set MILLRACE_SMTP_HOST and MILLRACE_SMTP_FROM' };
  // Loaded on first use: most servers send no mail.
  const { createTransport } = await import('nodemailer');
  const { smtpPort: port, smtpTls: tls, smtpUser: user, smtpPassword: pass, notifyTimeout: timeout } = settings;
  const transport = createTransport({
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user !== undefined && { auth: { user, pass: pass ?? '' } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from,
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: `<${mail.messageId}>`,
      references: `<${mail.thread}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return { kind: 'delivered' };
  } catch (error) {
    return attemptOfError(error);
  } finally {
    transport.close();
  }
}

/** Interprets SMTP errors: 5xx is permanent, 4xx temporary. */
function attemptOfError(error: unknown): Attempt {
  const { responseCode, code = '' } = error as { readonly responseCode?: number; readonly code?: string };
  if (code === 'EAUTH')
    return { kind: 'failed', problem: 'the mail server does not accept MILLRACE_SMTP_USER and its password' };
  if (responseCode !== undefined) {
    const problem = `the mail server answers ${responseCode}`;
    return responseCode >= 500 ? { kind: 'failed', problem } : { kind: 'later', problem };
  }
  return { kind: 'later', problem: `the mail server cannot be reached: ${connectionProblem(code)}` };
}
