import { frameMessage } from '../../testing/bodies.js';
import type { EventCase } from '../../testing/event-cases.js';

const headers = { 'content-type': 'application/logplex-1', 'logplex-frame-id': 'f', 'logplex-drain-token': 'd.1' };
const body =
  frameMessage('<40>1 2026-09-21T14:13:20+00:00 host app web.3 - State changed from starting to up\n') +
  frameMessage('<158>1 2026-09-21T14:13:21.5+00:00 host heroku router - at=info path="/é"') +
  frameMessage('no message of syslog');
const events = [
  {
    _time: '2026-09-21T14:13:20Z',
    host: 'host',
    application: 'app',
    process: 'web.3',
    message: 'State changed from starting to up',
  },
  {
    _time: '2026-09-21T14:13:21.5Z',
    host: 'host',
    application: 'heroku',
    process: 'router',
    message: 'at=info path="/é"',
  },
  { message: 'no message of syslog' },
];

export const herokuCases: readonly EventCase[] = [
  {
    what: 'Heroku: messages with their lengths',
    path: '/v1/ingest/{dataset}/heroku',
    headers,
    body,
    answer: { status: 200, text: '' },
    events: events.map((event) => ({ ...event, drainToken: 'd.1' })),
  },
  {
    what: 'Heroku: on the native path',
    path: '/v1/datasets/{dataset}/ingest',
    headers,
    body,
    answer: { status: 200 },
    events,
  },
];
