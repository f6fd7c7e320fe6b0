import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { messageOf } from '../system-errors.js';
import { type Check, ok, problem, warning } from './check.js';

const day = 86_400_000;
/** Renewal usually happens this long before the end at the latest. */
const soonDays = 14;

export const certificate: Check = {
  title: 'TLS certificate',
  find: async ({ tlsCert, tlsKey }) => {
    if (tlsCert === undefined || tlsKey === undefined) return undefined;
    try {
      const [cert, key] = await Promise.all([readFile(tlsCert), readFile(tlsKey)]);
      // Throws if the key does not belong to the certificate.
      createSecureContext({ cert, key });
      const { validTo, subjectAltName = 'no name' } = new X509Certificate(cert);
      const left = Math.floor((Date.parse(validTo) - Date.now()) / day);
      if (left < 0) return problem(`expired on ${validTo}`, 'renew it');
      const text = `${subjectAltName}, valid until ${validTo}`;
      return left < soonDays ? warning(text, `renew it: ${left} days are left`) : ok(text);
    } catch (error) {
      return problem(messageOf(error), 'correct --tls-cert and --tls-key');
    }
  },
};
