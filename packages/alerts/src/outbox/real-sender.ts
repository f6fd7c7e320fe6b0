import type { Settings } from '@millrace/http/settings/settings';
import { httpPost } from './http-post.js';
import type { Sender } from './sender.js';
import { sendMail, type SmtpSettings } from './smtp.js';

type SenderSettings = SmtpSettings & Pick<Settings, 'notifyPrivateAddresses'>;

export const realSender = (settings: SenderSettings): Sender => ({
  post: (request, signal) =>
    httpPost(request, { allowsPrivate: settings.notifyPrivateAddresses, timeout: settings.notifyTimeout }, signal),
  mail: (mail) => sendMail(mail, settings),
});
