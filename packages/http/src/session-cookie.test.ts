import { expect, test } from 'vitest';
import { sessionIn, setCookie } from './session-cookie.js';

test('other servers on the machine have cookies of other names', () => {
  const sender = { address: '127.0.0.1', host: 'localhost:1', https: true, prefix: '' };
  const [here, there] = ['millrace-a', 'millrace-b'].map((orgId) => ({ ...sender, orgId }));
  const cookies = [here!, there!].map((each, i) => setCookie(each, `secret-${i}`)['set-cookie']!.split(';')[0]);
  expect(sessionIn(cookies.join('; '), here!)).toBe('secret-0');
  expect(sessionIn(cookies.join('; '), there!)).toBe('secret-1');
});
