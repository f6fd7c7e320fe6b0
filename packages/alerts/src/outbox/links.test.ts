import { expect, test } from 'vitest';
import { healthMonitorId } from '../state/records.js';
import { linkTo } from './links.js';

test.each([
  ['mon_1', 'https://a.example/console', 'https://a.example/console/monitors/mon_1'],
  [healthMonitorId, 'https://a.example/console', 'https://a.example/console/monitors'],
  ['test', 'https://a.example/console', 'https://a.example/console/monitors'],
  ['mon_1', 'https://a.example/console/', 'https://a.example/console/monitors/mon_1'],
  ['mon_1', 'https://a.example', 'https://a.example/console/monitors/mon_1'],
  ['mon_1', 'https://a.example:8443//', 'https://a.example:8443/console/monitors/mon_1'],
  ['mon_1', 'https://a.example/logs', 'https://a.example/logs/console/monitors/mon_1'],
  ['mon_1', 'https://a.example/logs/console', 'https://a.example/logs/console/monitors/mon_1'],
  ['mon_1', 'https://console', 'https://console/console/monitors/mon_1'],
  ['mon_1', 'https://my-console', 'https://my-console/console/monitors/mon_1'],
  ['mon_1', undefined, undefined],
])('of %s at %s: a page that is there', (id, consoleUrl, link) => expect(linkTo(id, consoleUrl)).toBe(link));
