/**
 * The default time formats of a program, and their meaning. The page about times lists them; both
 * parsers are tested with them.
 */
interface Program {
  readonly name: string;
  readonly times: readonly (readonly [text: string, time: string])[];
}

export const programs: readonly Program[] = [
  {
    name: 'Apache, nginx and others that write the common log format',
    times: [['07/Mar/2024:09:08:07 +0100', '2024-03-07T08:08:07Z']],
  },
  {
    name: 'errors of Apache and nginx',
    times: [
      ['Thu Mar 07 09:08:07.123456 2024', '2024-03-07T09:08:07.123456Z'],
      ['2024/03/07 09:08:07', '2024-03-07T09:08:07Z'],
    ],
  },
  { name: 'mail, HTTP', times: [['Thu, 07 Mar 2024 09:08:07 GMT', '2024-03-07T09:08:07Z']] },
  {
    name: '`date`, C, Ruby',
    times: [
      ['Thu Mar  7 09:08:07 AM CET 2024', '2024-03-07T08:08:07Z'],
      ['Thu  7 Mar 09:08:07 CET 2024', '2024-03-07T08:08:07Z'],
      ['Thu Mar  7 09:08:07 2024', '2024-03-07T09:08:07Z'],
    ],
  },
  {
    name: 'Go',
    times: [['2024-03-07 09:08:07.123456789 +0100 CET m=+0.000042', '2024-03-07T08:08:07.123456789Z']],
  },
  { name: 'logging of Python, Log4j, Hadoop', times: [['2024-03-07 09:08:07,123', '2024-03-07T09:08:07.123Z']] },
  {
    name: 'Java',
    times: [
      ['Mar 07, 2024 9:08:07 AM', '2024-03-07T09:08:07Z'],
      ['Thu Mar 07 09:08:07 CET 2024', '2024-03-07T08:08:07Z'],
      ['2024-03-07T09:08:07.123+01:00[Europe/Paris]', '2024-03-07T08:08:07.123Z'],
    ],
  },
  {
    name: 'JavaScript',
    times: [
      ['Thu Mar 07 2024 09:08:07 GMT+0100 (Central European Standard Time)', '2024-03-07T08:08:07Z'],
      ['3/7/2024, 9:08:07 PM', '2024-03-07T21:08:07Z'],
    ],
  },
  {
    name: '.NET, Windows',
    times: [
      ['3/7/2024 9:08:07 AM', '2024-03-07T09:08:07Z'],
      ['Thursday, March 7, 2024 9:08:07 AM', '2024-03-07T09:08:07Z'],
      ['/Date(1709802487123)/', '2024-03-07T09:08:07.123Z'],
    ],
  },
  { name: 'PHP, Tomcat', times: [['07-Mar-2024 09:08:07 UTC', '2024-03-07T09:08:07Z']] },
  {
    name: 'Oracle',
    times: [
      ['07-MAR-24', '2024-03-07T00:00:00Z'],
      ['07-MAR-24 09.08.07.123456 PM', '2024-03-07T21:08:07.123456Z'],
      ['07-MAR-24 09.08.07.123456000 AM +01:00', '2024-03-07T08:08:07.123456Z'],
      ['07-Mar-2024 21.08.07', '2024-03-07T21:08:07Z'],
    ],
  },
  { name: 'DB2, Blue Gene', times: [['2024-03-07-09.08.07.123456', '2024-03-07T09:08:07.123456Z']] },
  {
    name: 'SQL Server',
    times: [
      ['Mar  7 2024  9:08AM', '2024-03-07T09:08:00Z'],
      ['Mar  7 2024  9:08:07:123AM', '2024-03-07T09:08:07.123Z'],
    ],
  },
  {
    name: 'PostgreSQL, MySQL before 5.7',
    times: [
      ['2024-03-07 09:08:07.123 CET', '2024-03-07T08:08:07.123Z'],
      ['2024-03-07 09:08:07.123456+01', '2024-03-07T08:08:07.123456Z'],
      ['240307  9:08:07', '2024-03-07T09:08:07Z'],
    ],
  },
  { name: 'HDFS', times: [['081109 203518', '2008-11-09T20:35:18Z']] },
  { name: 'Redis', times: [['07 Mar 2024 09:08:07.123', '2024-03-07T09:08:07.123Z']] },
  {
    name: 'Erlang, SAS',
    times: [
      ['7-Mar-2024::09:08:07', '2024-03-07T09:08:07Z'],
      ['07MAR2024:09:08:07', '2024-03-07T09:08:07Z'],
    ],
  },
  {
    name: 'FIX, and apps of phones',
    times: [
      ['20240307-09:08:07.123', '2024-03-07T09:08:07.123Z'],
      ['20240307-09:08:07:123', '2024-03-07T09:08:07.123Z'],
    ],
  },
  {
    name: 'LDAP, certificates',
    times: [
      ['20240307090807.25+0100', '2024-03-07T08:08:07.25Z'],
      ['240307090807Z', '2024-03-07T09:08:07Z'],
      ['Mar  7 09:08:07 2024 GMT', '2024-03-07T09:08:07Z'],
    ],
  },
  { name: 'glog of C++', times: [['20240307 09:08:07.123456', '2024-03-07T09:08:07.123456Z']] },
  {
    name: 'git',
    times: [
      ['1709802487 +0100', '2024-03-07T09:08:07Z'],
      ['Thu Mar 7 09:08:07 2024 +0100', '2024-03-07T08:08:07Z'],
    ],
  },
  { name: 'Squid', times: [['1709802487.123', '2024-03-07T09:08:07.123Z']] },
];

/** Programs that omit the year. The times are the results for arrival on 1 May 2024. */
export const yearlessPrograms: readonly {
  readonly name: string;
  readonly times: readonly (readonly [text: string, arrival: string, time: string])[];
}[] = [
  { name: 'syslog', times: [['Mar  7 09:08:07', '2024-05-01', '2024-03-07T09:08:07Z']] },
  { name: 'Android', times: [['03-17 16:13:38.811', '2024-05-01', '2024-03-17T16:13:38.811Z']] },
  {
    name: 'Kubernetes, glog',
    times: [['I0307 09:08:07.123456', '2024-05-01', '2024-03-07T09:08:07.123456Z']],
  },
  {
    name: 'Cisco',
    times: [['*Mar  7 09:08:07.123 UTC', '2024-05-01', '2024-03-07T09:08:07.123Z']],
  },
  { name: 'MongoDB before 3.0', times: [['Thu Mar  7 09:08:07.123', '2024-05-01', '2024-03-07T09:08:07.123Z']] },
];
