import { expect, test } from 'vitest';
import { parseSyslog } from './parse.js';

/** Lines as devices and programs write them: time, host, application, procId and message. */

const arrival = Date.parse('2026-11-26T12:00:00Z');
type Row = readonly [
  line: string,
  time: string | undefined,
  hostname: string | undefined,
  application: string | undefined,
  procId: string | undefined,
  message: string,
];

const none = undefined;
const eleven = '2026-11-26T11:00:00+00:00';
const rows: readonly Row[] = [
  // Linux and programs on it
  [
    '<86>Nov 26 11:00:00 web sshd[812]: Accepted publickey for ada',
    eleven,
    'web',
    'sshd',
    '812',
    'Accepted publickey for ada',
  ],
  ['<4>Nov 26 11:00:00 web kernel: [12.5] eth0: link up', eleven, 'web', 'kernel', none, '[12.5] eth0: link up'],
  [
    '<30>Nov 26 11:00:00 web systemd[1]: Started nginx.service.',
    eleven,
    'web',
    'systemd',
    '1',
    'Started nginx.service.',
  ],
  [
    '<22>Nov 26 11:00:00 mx postfix/smtpd[99]: connect from a[1.2.3.4]',
    eleven,
    'mx',
    'postfix/smtpd',
    '99',
    'connect from a[1.2.3.4]',
  ],
  [
    '<150>Nov 26 11:00:00 lb haproxy[7]: 10.0.0.1:52 [26/Nov/2026] fe',
    eleven,
    'lb',
    'haproxy',
    '7',
    '10.0.0.1:52 [26/Nov/2026] fe',
  ],
  [
    '<190>Nov 26 11:00:00 web nginx: 1.2.3.4 - - "GET / HTTP/1.1" 200',
    eleven,
    'web',
    'nginx',
    none,
    '1.2.3.4 - - "GET / HTTP/1.1" 200',
  ],
  ['<78>Nov 26 11:00:00 web CRON[5]: (root) CMD (run)', eleven, 'web', 'CRON', '5', '(root) CMD (run)'],
  ['<85>Nov 26 11:00:00 web sudo:  ada : TTY=pts/0', eleven, 'web', 'sudo', none, ' ada : TTY=pts/0'],
  ['<13>Nov 26 11:00:00 web last message repeated 3 times', eleven, 'web', none, none, 'last message repeated 3 times'],
  ['<30>Nov 26 11:00:00 web docker/3f2a[44]: started', eleven, 'web', 'docker/3f2a', '44', 'started'],
  [
    '<30>2026-11-26T11:00:00.123456+01:00 web dhclient[3]: bound',
    '2026-11-26T11:00:00.123456+01:00',
    'web',
    'dhclient',
    '3',
    'bound',
  ],
  ['<13>1 2026-11-26T11:00:00Z web app 8 ID1 [a@1 x="1"] hello', '2026-11-26T11:00:00Z', 'web', 'app', '8', 'hello'],
  [
    '<30>Nov 26 11:00:00 web.example.org dnsmasq-dhcp[2]: DHCPACK(br0)',
    eleven,
    'web.example.org',
    'dnsmasq-dhcp',
    '2',
    'DHCPACK(br0)',
  ],
  ['<29>Nov 26 11:00:00 web openvpn(site)[8]: up', eleven, 'web', 'openvpn(site)', '8', 'up'],
  // Without a priority
  ['Nov 26 11:00:00 web sshd[812]: Failed password', eleven, 'web', 'sshd', '812', 'Failed password'],
  ['2026-11-26T11:00:00.5Z web app: from a file', '2026-11-26T11:00:00.5Z', 'web', 'app', none, 'from a file'],
  ['1 2026-11-26T11:00:00Z web app 8 - - no priority', '2026-11-26T11:00:00Z', 'web', 'app', '8', 'no priority'],
  ['1 packet was lost on the way to it', none, none, none, none, '1 packet was lost on the way to it'],
  ['error: nothing but text', none, none, none, none, 'error: nothing but text'],
  ['2026-11-26 11:00:00,250 web app: comma', '2026-11-26T11:00:00.250+00:00', 'web', 'app', none, 'comma'],
  // Zones
  ['<13>Nov 26 11:00:00 CEST web app: m', '2026-11-26T11:00:00+02:00', 'web', 'app', none, 'm'],
  ['<13>Nov 26 11:00:00 PST web app: m', '2026-11-26T11:00:00-08:00', 'web', 'app', none, 'm'],
  ['<13>Nov 26 11:00:00 UTC: web app: m', '2026-11-26T11:00:00+00:00', 'web', 'app', none, 'm'],
  ['<13>Nov 26 11:00:00 +0530 web app: m', '2026-11-26T11:00:00+05:30', 'web', 'app', none, 'm'],
  ['<13>Nov 26 11:00:00 -03:00 web app: m', '2026-11-26T11:00:00-03:00', 'web', 'app', none, 'm'],
  ['<13>Nov 26 11:00:00 WEB app: m', eleven, 'WEB', 'app', none, 'm'],
  ['<13>Nov 26 11:00:00 DB app[1]: m', eleven, 'DB', 'app', '1', 'm'],
  ['<13>Thu Nov 26 11:00:00 CET 2026 web app: m', '2026-11-26T11:00:00+01:00', 'web', 'app', none, 'm'],
  ['<13>Thu Nov 26 11:00:00 2026 web app: m', eleven, 'web', 'app', none, 'm'],
  // IPv6
  ['<13>Nov 26 11:00:00 2001:db8::1 app[1]: m', eleven, '2001:db8::1', 'app', '1', 'm'],
  ['<13>Nov 26 11:00:00 fe80::1%eth0 app: m', eleven, 'fe80::1%eth0', 'app', none, 'm'],
  ['<13>Nov 26 11:00:00 [2001:db8::2] app: m', eleven, '2001:db8::2', 'app', none, 'm'],
  ['<13>Nov 26 11:00:00 ::1 text only', eleven, '::1', none, none, 'text only'],
  ['<13>Nov 26 11:00:00 10.0.0.1 app: m', eleven, '10.0.0.1', 'app', none, 'm'],
  // Cisco IOS, IOS XE, IOS XR
  [
    '<189>45: *Nov 26 11:00:00.123: %SYS-5-CONFIG_I: Configured',
    '2026-11-26T11:00:00.123+00:00',
    none,
    '%SYS-5-CONFIG_I',
    none,
    'Configured',
  ],
  [
    '<189>45: 000046: Nov 26 11:00:00 UTC: %LINK-3-UPDOWN: Gi0/1 down',
    eleven,
    none,
    '%LINK-3-UPDOWN',
    none,
    'Gi0/1 down',
  ],
  [
    '<189>45: router1: 000046: Nov 26 11:00:00.1 CEST: %SYS-5-RESTART: up',
    '2026-11-26T11:00:00.1+02:00',
    'router1',
    '%SYS-5-RESTART',
    none,
    'up',
  ],
  ['<189>45: 10.0.0.1: 000046: .Nov 26 11:00:00: %SYS-6-LOGOUT: bye', eleven, '10.0.0.1', '%SYS-6-LOGOUT', none, 'bye'],
  [
    '<189>45: 2001:db8::1: 000046: Nov 26 11:00:00: %SYS-6-LOGOUT: bye',
    eleven,
    '2001:db8::1',
    '%SYS-6-LOGOUT',
    none,
    'bye',
  ],
  [
    '<189>45: router1: Nov 26 11:00:00 NewYork: %SYS-5-CONFIG_I: by ada',
    eleven,
    'router1',
    '%SYS-5-CONFIG_I',
    none,
    'by ada',
  ],
  [
    '*Nov 26 11:00:00.123 NewYork: %SYS-5-CONFIG_I: by ada',
    '2026-11-26T11:00:00.123+00:00',
    none,
    '%SYS-5-CONFIG_I',
    none,
    'by ada',
  ],
  [
    '<189>45: Nov 26 2026 11:00:00 PST: %SEC_LOGIN-5-LOGIN_SUCCESS: ok',
    '2026-11-26T11:00:00-08:00',
    none,
    '%SEC_LOGIN-5-LOGIN_SUCCESS',
    none,
    'ok',
  ],
  ['<189>45: 000046: %SYS-5-CONFIG_I: no clock', none, none, '%SYS-5-CONFIG_I', none, 'no clock'],
  [
    '<189>45: core RP/0/RSP0/CPU0:Nov 26 11:00:00.1 UTC: bgp[1051]: %BGP-5-ADJCHANGE : up',
    '2026-11-26T11:00:00.1+00:00',
    'core',
    'bgp',
    '1051',
    '%BGP-5-ADJCHANGE : up',
  ],
  // Cisco NX-OS
  [
    '<189>: 2026 Nov 26 11:00:00 UTC: %ETHPORT-5-IF_UP: Ethernet1/1 up',
    eleven,
    none,
    '%ETHPORT-5-IF_UP',
    none,
    'Ethernet1/1 up',
  ],
  ['<187>2026 Nov 26 11:00:00 nexus1 %VSHD-3-ERR: m', eleven, 'nexus1', '%VSHD-3-ERR', none, 'm'],
  [
    '<189>nexus1: 2026 Nov 26 11:00:00.5 CET: %VSHD-5-CFG: m',
    '2026-11-26T11:00:00.5+01:00',
    'nexus1',
    '%VSHD-5-CFG',
    none,
    'm',
  ],
  // Cisco ASA and FTD
  ['<166>%ASA-6-302013: Built outbound TCP', none, none, '%ASA-6-302013', none, 'Built outbound TCP'],
  ['<166>Nov 26 2026 11:00:00: %ASA-6-302013: Built', eleven, none, '%ASA-6-302013', none, 'Built'],
  ['<166>Nov 26 2026 11:00:00 fw1 : %ASA-6-302013: Built', eleven, 'fw1', '%ASA-6-302013', none, 'Built'],
  ['<166>:Nov 26 11:00:00 UTC: %ASA-session-6-302013: Built', eleven, none, '%ASA-session-6-302013', none, 'Built'],
  ['<166>Nov 26 11:00:00 fw1: %FTD-6-302013: Built', eleven, 'fw1', '%FTD-6-302013', none, 'Built'],
  ['<165>2026-11-26T11:00:00Z fw1 : %FTD-5-111008: User', '2026-11-26T11:00:00Z', 'fw1', '%FTD-5-111008', none, 'User'],
  // Other vendors
  [
    '<14>Nov 26 11:00:00 PA-220 1,2026/11/26 11:00:00,0079,TRAFFIC,end',
    eleven,
    'PA-220',
    none,
    none,
    '1,2026/11/26 11:00:00,0079,TRAFFIC,end',
  ],
  [
    '<189>date=2026-11-26 time=11:00:00 devname="FGT" logid="1"',
    none,
    none,
    none,
    none,
    'date=2026-11-26 time=11:00:00 devname="FGT" logid="1"',
  ],
  [
    '<30>Nov 26 11:00:00 MikroTik system,info,account user admin logged in',
    eleven,
    'MikroTik',
    none,
    none,
    'system,info,account user admin logged in',
  ],
  [
    '<30>Nov 26 11:00:00 U7PG2,788a20,v4.3.28 hostapd: ath0: STA',
    eleven,
    'U7PG2,788a20,v4.3.28',
    'hostapd',
    none,
    'ath0: STA',
  ],
  ['<29>Nov 26 11:00:00 mx1 rpd[1401]: BGP_STATE: peer', eleven, 'mx1', 'rpd', '1401', 'BGP_STATE: peer'],
  ['<134>Nov 26 11:00:00 2026 aruba authmgr[36]: <522008> ok', eleven, 'aruba', 'authmgr', '36', '<522008> ok'],
  [
    '<14> Nov 26 11:00:00 10.1.1.1 00076 ports: port 3 is on-line',
    eleven,
    '10.1.1.1',
    none,
    none,
    '00076 ports: port 3 is on-line',
  ],
  [
    '<134>  id=firewall sn=0017 time="2026-11-26 11:00:00"',
    none,
    none,
    none,
    none,
    'id=firewall sn=0017 time="2026-11-26 11:00:00"',
  ],
  [
    '<166>2026-11-26T11:00:00.123Z esx1 Hostd: info hostd[21] [Originator@6876]',
    '2026-11-26T11:00:00.123Z',
    'esx1',
    'Hostd',
    none,
    'info hostd[21] [Originator@6876]',
  ],
  [
    '<13>Nov 26 11:00:00 WIN-1 Microsoft-Windows-Security[4]: logon',
    eleven,
    'WIN-1',
    'Microsoft-Windows-Security',
    '4',
    'logon',
  ],
  [
    '<134>1 2026-11-26T11:00:00Z gw CheckPoint 9 - [action:"Accept"; x]',
    '2026-11-26T11:00:00Z',
    'gw',
    'CheckPoint',
    '9',
    '[action:"Accept"; x]',
  ],
  [
    '<133>Nov 26 11:00:00 bigip notice mcpd[6]: 01070638:5: Pool down',
    eleven,
    'bigip',
    'mcpd',
    '6',
    '01070638:5: Pool down',
  ],
  // Formats of security devices stay whole.
  [
    '<13>Nov 26 11:00:00 cp CEF:0|Check Point|VPN-1|1.0|100|Accept|5|src=10.0.0.1',
    eleven,
    'cp',
    'CEF',
    none,
    'CEF:0|Check Point|VPN-1|1.0|100|Accept|5|src=10.0.0.1',
  ],
  [
    '<13>1 2026-11-26T11:00:00Z cp - - - - CEF:0|Check Point|VPN-1|1.0|100|Accept|5|src=10.0.0.1',
    '2026-11-26T11:00:00Z',
    'cp',
    none,
    none,
    'CEF:0|Check Point|VPN-1|1.0|100|Accept|5|src=10.0.0.1',
  ],
  [
    '<13>Nov 26 11:00:00 cp LEEF:2.0|Check Point|VPN-1|1.0|Accept|^|src=10.0.0.1',
    eleven,
    'cp',
    'LEEF',
    none,
    'LEEF:2.0|Check Point|VPN-1|1.0|Accept|^|src=10.0.0.1',
  ],
  ['<13>LEEF:1.0|V|P|1|Id|a=b', none, none, 'LEEF', none, 'LEEF:1.0|V|P|1|Id|a=b'],
  ['<30>2026:11:26-11:00:00 utm ulogd[4567]: id="2001"', eleven, 'utm', 'ulogd', '4567', 'id="2001"'],
  [
    '<166>2026-11-26T11:00:00.123Z esxi01.local Hostd: info hostd[2099] [Originator@6876 sub=V] Event 1',
    '2026-11-26T11:00:00.123Z',
    'esxi01.local',
    'Hostd',
    none,
    'info hostd[2099] [Originator@6876 sub=V] Event 1',
  ],
  ['<30>Nov 26 11:00:00 U7PG2,aabb,v4.3 hostapd: ath0: STA', eleven, 'U7PG2,aabb,v4.3', 'hostapd', none, 'ath0: STA'],
  ['<134>Nov 26 11:00:00 filterlog[5]: 5,,,1000', eleven, none, 'filterlog', '5', '5,,,1000'],
  ['<30>Nov 26 11:00:00 ap %%10IFNET/3/PHY_UPDOWN: up', eleven, 'ap', '%%10IFNET/3/PHY_UPDOWN', none, 'up'],
];

test.each(rows)('%s', (line, time, hostname, application, procId, message) => {
  const read = parseSyslog(line, { arrival, zone: 0 });
  expect([read.time, read.hostname, read.application, read.procId, read.message]).toEqual([
    time,
    hostname,
    application,
    procId,
    message,
  ]);
});

test.each([
  ['Nov 26 11:00:00: %ASA-4-106023: Deny', 'warning'],
  ['<189>Nov 26 11:00:00: %ASA-4-106023: Deny', 'notice'],
  ['Nov 26 11:00:00 web app: m', undefined],
])('the severity of %s is %s', (line, severity) =>
  expect(parseSyslog(line, { arrival, zone: 0 }).severity).toBe(severity),
);

test('keeps repeated structured data', () =>
  expect(
    parseSyslog('<13>1 2026-11-26T11:00:00Z h a - - [x ip="1" ip="2" n="a"][x ip="3"][y] m', { arrival, zone: 0 })
      .metadata,
  ).toEqual({ x: { ip: ['1', '2', '3'], n: 'a' }, y: {} }));
