import type { EventCase } from '../../testing/event-cases.js';

const path = '/v1/ingest/{dataset}/journald/upload';
const storedAnswer = { status: 202, text: 'OK.\n' };

/** A field whose value has line feeds, prefixed with its length. */
const long = (name: string, value: string): string => {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(value)));
  return `${name}\n${length.toString('latin1')}${value}\n`;
};

export const journaldCases: readonly EventCase[] = [
  {
    what: 'journald: fields under their names, the message and its time under ours',
    path,
    body: [
      '__CURSOR=s=1;i=2\n__REALTIME_TIMESTAMP=1790000000000123\n__MONOTONIC_TIMESTAMP=1\n_BOOT_ID=b\nPRIORITY=3\n',
      'SYSLOG_IDENTIFIER=app\n_PID=7\nMESSAGE=says a=b "quoted"\nEMPTY=\n\n',
      `__REALTIME_TIMESTAMP=1790000001000000\n${long('MESSAGE', 'two\n\nlines')}_PID=8\n\n`,
      '__CURSOR=nothing but an address\n\n',
    ].join(''),
    answer: storedAnswer,
    events: [
      {
        _time: '2026-09-21T14:13:20.000123Z',
        _BOOT_ID: 'b',
        PRIORITY: '3',
        severity: 'error',
        SYSLOG_IDENTIFIER: 'app',
        _PID: '7',
        message: 'says a=b "quoted"',
        EMPTY: '',
      },
      { _time: '2026-09-21T14:13:21Z', message: 'two\n\nlines', _PID: '8' },
    ],
  },
  {
    what: 'journald: a field that comes several times is a list of its values',
    path,
    body: `_PID=1\nTAG=a\nMESSAGE=x\nTAG=b\n${long('TAG', 'c\nd')}\n_PID=2\nTAG=a\nMESSAGE=y\n\n`,
    answer: storedAnswer,
    events: [
      { _PID: '1', TAG: ['a', 'b', 'c\nd'], message: 'x' },
      { _PID: '2', TAG: 'a', message: 'y' },
    ],
  },
  {
    what: 'journald: an entry whose length is wrong fails, and what follows is read',
    path,
    body: `MESSAGE=a\n\nX\n\x01\0\0\0\0\0\0\0yz\nMESSAGE=b\n\nMESSAGE=c\n\n`,
    answer: storedAnswer,
    events: [{ message: 'a' }, { message: 'c' }],
  },
  { what: 'journald: a stream without entries', path, body: '', answer: storedAnswer, events: [] },
  {
    what: 'journald: an entry that is cut off fails alone',
    path,
    body: '__REALTIME_TIMESTAMP=1790000000000000\nMESSAGE=whole\n\nMESSAGE=cut',
    answer: storedAnswer,
    events: [{ message: 'whole' }],
  },
];
