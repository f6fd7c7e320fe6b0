import { expect, test } from 'vitest';
import type { ListenerFormat } from '@millrace/http/settings/listener-address';
import { parseSyslog, type SyslogMessage } from './parse.js';

const arrival = Date.parse('2026-11-26T12:00:00Z');
const parseMessage = (text: string, zone = 0): SyslogMessage =>
  JSON.parse(JSON.stringify(parseSyslog(text, { arrival, zone }))) as SyslogMessage;
const notice = { severity: 'notice', facility: 'auth' };

test.each<[string, object]>([
  [
    '<37>1 2026-11-26T11:00:00.003Z web.example su 12 ID47 [ex@32473 iut="3" text="a\\"b\\]\\\\"][timeQuality tzKnown="1"][b.c x="1"] \u{FEFF}failed',
    {
      ...notice,
      time: '2026-11-26T11:00:00.003Z',
      hostname: 'web.example',
      application: 'su',
      procId: '12',
      msgId: 'ID47',
      metadata: { ex: { iut: '3', text: 'a"b]\\' }, 'b.c': { x: '1' } },
      message: 'failed',
    },
  ],
  ['<37>1 - - - - - -', { ...notice, message: '' }],
  [
    '<37>1  2026-11-26T11:00:00Z  h  a - - -  two',
    { ...notice, time: '2026-11-26T11:00:00Z', hostname: 'h', application: 'a', message: ' two' },
  ],
  ['<37>1 - h a - - [broken message', { ...notice, hostname: 'h', application: 'a', message: '[broken message' }],
  [
    '<37>Nov 26 11:00:00 web su[12]: failed for x\n',
    {
      ...notice,
      time: '2026-11-26T11:00:00+00:00',
      hostname: 'web',
      application: 'su',
      procId: '12',
      message: 'failed for x',
    },
  ],
  [
    '<37>Nov  6 11:00:00 web text without tag',
    { ...notice, time: '2026-11-06T11:00:00+00:00', hostname: 'web', message: 'text without tag' },
  ],
  [
    '<37>Nov 26 11:00:00 su: no host',
    { ...notice, time: '2026-11-26T11:00:00+00:00', application: 'su', message: 'no host' },
  ],
  [
    '<37>2026-11-26T11:00:00.5+02:00 web su: iso',
    { ...notice, time: '2026-11-26T11:00:00.5+02:00', hostname: 'web', application: 'su', message: 'iso' },
  ],
  [
    '<189>123: *Mar  1 18:46:11.123: %SYS-5-CONFIG_I: Configured',
    {
      severity: 'notice',
      facility: 'local7',
      time: '2026-03-01T18:46:11.123+00:00',
      application: '%SYS-5-CONFIG_I',
      message: 'Configured',
    },
  ],
  [
    '<37>Nov 26 2025 11:00:00 web su: year',
    { ...notice, time: '2025-11-26T11:00:00+00:00', hostname: 'web', application: 'su', message: 'year' },
  ],
  ['<999>x', { message: '<999>x' }],
  ['no priority', { message: 'no priority' }],
  ['', { message: '' }],
])('%s', (text, message) => expect(parseMessage(text)).toEqual(message));

test.each([
  ['Nov 27 11:59:59', '2026-11-27T11:59:59+00:00'],
  ['Nov 27 12:00:01', '2025-11-27T12:00:01+00:00'],
  ['Dec 31 23:59:59', '2025-12-31T23:59:59+00:00'],
])('a time without a year is at most a day ahead: %s', (text, time) =>
  expect(parseMessage(`<37>${text} h a: m`).time).toBe(time),
);

test('local times are in the zone of the listener', () =>
  expect(parseMessage('<37>Nov 26 11:00:00 h a: m', -150).time).toBe('2026-11-26T11:00:00-02:30'));

const line = '<37>1 2026-11-26T11:00:00Z web su - - - failed';
const old = '<37>Nov 26 11:00:00 web su: failed';
test.each<[ListenerFormat, string, object]>([
  ['raw', line, { message: line }],
  ['5424', old, { ...notice, message: 'Nov 26 11:00:00 web su: failed' }],
  ['5424', line, { hostname: 'web', application: 'su', message: 'failed' }],
  ['3164', old, { hostname: 'web', application: 'su', message: 'failed' }],
  ['3164', line, { message: '1 2026-11-26T11:00:00Z web su - - - failed' }],
])('a listener that says %s: %s', (format, text, message) =>
  expect(parseSyslog(text, { arrival, zone: 0, format })).toMatchObject(message),
);
