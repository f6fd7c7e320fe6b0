import { basic, channel, form } from './channel.js';
import { plainMessage } from './plain-message.js';

/**
 * One text message. Twilio takes 1,600 characters; each 153 of them are billed as a message, so it
 * has one link: the page to acknowledge leads to the monitor.
 */
export const twilioSms = channel({
  name: 'twilioSms',
  delivery: ({ accountSid, authToken, from, to }, notification, { link, respond }) =>
    form(
      `https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Messages.json`,
      {
        To: to,
        ...(/^MG[\da-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from }),
        Body: plainMessage(notification, { link: respond ?? link }, maxCharacters),
      },
      { authorization: basic(accountSid, authToken) },
    ),
});

const maxCharacters = 459;
