import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Attack, attackedDataset, endless, type Kind, type Message, type Rights } from '../attack.js';
import { sendRepeatedly } from '../lines.js';

/** Other features: each uses resources in addition to those of a query or a body. */

const query = (apl: string): Message => ({ path: '/v1/datasets/_apl?format=tabular', body: JSON.stringify({ apl }) });
const events = (list: readonly object[]): Message => ({
  path: `/v1/datasets/${attackedDataset}/ingest`,
  body: JSON.stringify(list),
});
const numberedEvents = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, n) => ({ n, text: `${n}`.repeat(20) }));

/** Rights on the dataset. */
const onAttacked = (rights: Readonly<Record<string, readonly string[]>>): Rights => ({
  datasetCapabilities: { [attackedDataset]: rights },
});
const mayQuery = onAttacked({ query: ['read'] });
const mayBoth = onAttacked({ ingest: ['create'], query: ['read'] });
const mayMonitor = { ...mayQuery, orgCapabilities: { monitors: ['create', 'read'] } };

const slow = `${attackedDataset} | mv-expand k = range(1, 1000, 1) | mv-expand j = range(1, 1000, 1) | summarize sum(k * j * n)`;

/** Sends some messages first, and then others from several clients until the time is up. */
const afterwards = (
  name: string,
  rights: Rights,
  first: () => Iterable<Message>,
  clients: number,
  then: () => Iterable<Message>,
): Attack => ({
  name: `${name}, from ${clients} clients`,
  rights,
  run: async (attacker) => {
    await attacker.flood(1, first());
    await attacker.flood(clients, then());
  },
});

function* generateMessages(message: (number: number) => Message): Generator<Message> {
  for (let number = 0; ; number++) yield message(number);
}

const signedIn = sendRepeatedly(8, 'sessions of browsers', mayQuery, () => ({
  path: '/console/api/session',
  body: '',
  headers: { 'x-millrace-console': '1', 'sec-fetch-site': 'same-origin' },
}));

/** A page of sessions is read between sign-ins. */
const sessionLists: Attack = {
  name: 'sessions of browsers and their list, from 8 clients',
  rights: mayQuery,
  run: (attacker) =>
    attacker.flood(
      8,
      generateMessages((number) =>
        number % 20 === 19
          ? { path: '/v2/sessions' }
          : {
              path: '/console/api/session',
              body: '',
              headers: { 'x-millrace-console': '1', 'sec-fetch-site': 'same-origin' },
            },
      ),
    ),
};

const monitor = (number: number): object => ({
  name: `monitor ${number}`,
  type: 'Threshold',
  aplQuery: `${slow} by bin(_time, 1m)`,
  operator: 'Above',
  threshold: 1,
  intervalMinutes: 1,
  rangeMinutes: 60,
});
const monitors: Attack = {
  name: 'monitors that take a minute, from 4 clients',
  rights: mayMonitor,
  run: (attacker) =>
    attacker.flood(
      4,
      generateMessages((number) =>
        number % 20 === 19
          ? { path: '/v2/monitors/_status' }
          : { path: '/v2/monitors', body: JSON.stringify(monitor(number)) },
      ),
    ),
};
/** Monitors of many groups, whose notifier accepts connections and never responds. */
const hangingNotifiers: Attack = {
  name: '30 monitors of 1,000 groups with a notifier that hangs',
  rights: { ...mayBoth, orgCapabilities: { monitors: ['create', 'read'], notifiers: ['create'] } },
  run: async (attacker) => {
    const receiver = createServer().listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    await attacker.send(events(numberedEvents(1000)));
    const properties = { webhook: { url: `http://127.0.0.1:${port}/` } };
    const made = await attacker.ask({ path: '/v2/notifiers', body: JSON.stringify({ name: 'n', properties }) });
    const { id } = JSON.parse(made) as { readonly id: string };
    await attacker.flood(
      4,
      Array.from({ length: 30 }, (_, number) => ({
        path: '/v2/monitors',
        body: JSON.stringify({
          ...monitor(number),
          aplQuery: `${attackedDataset} | summarize count() by n`,
          threshold: 0,
          notifyByGroup: true,
          notifierIds: [id],
        }),
      })),
    );
    await attacker.wait();
    receiver.close();
  },
};

const previews = sendRepeatedly(4, 'previews of monitors', mayMonitor, () => ({
  path: '/v2/monitors/_preview',
  body: JSON.stringify({ monitor: monitor(0), startTime: '2020-01-01T00:00:00Z' }),
}));

const loops = `${'{{range $.MatchedEvent}}'.repeat(20)}x${'{{end}}'.repeat(20)}`;
const doublingTemplate = `{{$x := "12345678"}}${'{{$x = print $x $x}}'.repeat(40)}`;
const words = `{{print${' 1'.repeat(30_000)}}}`;

/** Templates of notifiers, which the server renders. */
const templates: Attack = {
  name: 'templates that loop, double and are long, from 4 clients',
  rights: { orgCapabilities: { notifiers: ['create', 'read'] } },
  run: (attacker) =>
    attacker.flood(
      4,
      generateMessages((number) => {
        const customWebhook = { url: 'https://example.com/', body: [loops, doublingTemplate, words][number % 3] };
        return { path: '/v2/notifiers/_preview', body: JSON.stringify({ name: 'n', properties: { customWebhook } }) };
      }),
    ),
};

/** An expression is read before it is stored. */
const expressions = sendRepeatedly(
  4,
  'virtual fields of a megabyte',
  onAttacked({ query: ['read'], virtualFields: ['create'] }),
  () => ({
    path: '/v2/vfields',
    body: JSON.stringify({ dataset: attackedDataset, name: 'v', expression: `n in (${'1,'.repeat(500_000)}1)` }),
  }),
);

/** Dashboards of nearly a megabyte, and the list of all of them. */
const boards: Attack = {
  name: 'dashboards of a megabyte and their list, from 8 clients',
  rights: { orgCapabilities: { dashboards: ['create', 'read', 'update'] } },
  run: (attacker) =>
    attacker.flood(
      8,
      generateMessages((number) => {
        if (number % 10 === 9) return { path: '/v2/dashboards?limit=1000' };
        const dashboard = {
          name: 'board',
          charts: [{ id: 'note', name: 'Note', type: 'Note', text: 'x'.repeat(1_000_000) }],
          layout: [],
          refreshTime: 60,
          schemaVersion: 2,
          timeWindowStart: 'qr-now-1h',
          timeWindowEnd: 'qr-now',
        };
        return {
          path: '/v2/dashboards',
          body: JSON.stringify({ dashboard, uid: `board${number % 300}`, overwrite: true }),
        };
      }),
    ),
};

const batches = sendRepeatedly(4, 'batches of 1000 queries', mayQuery, () => ({
  path: '/v1/query/batch',
  body: JSON.stringify(
    Array.from({ length: 1000 }, (_, n) => ({
      queryId: `${n}`,
      aplRequest: { apl: n % 2 === 0 ? slow : attackedDataset },
    })),
  ),
}));

/** Each query is stored for its token. */
const rememberedQueries: Attack = {
  name: 'long queries and what is remembered of them, from 4 clients',
  rights: mayQuery,
  run: (attacker) =>
    attacker.flood(
      4,
      generateMessages((number) =>
        number % 10 === 9
          ? { path: '/v1/datasets/_history?limit=1000&qs=nothing' }
          : {
              path: '/v1/datasets/_apl?format=tabular&saveAsKind=apl',
              body: JSON.stringify({
                apl: `${attackedDataset} | where text != '${'x'.repeat(95_000)}${number}' | count`,
              }),
            },
      ),
    ),
};

/** Connections that stay open and in use. */
const keptConnections = (connections: number): Attack => ({
  name: `${connections} connections in use`,
  rights: mayQuery,
  run: async (attacker) => {
    const request = `GET /v2/user HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${attacker.token}\r\n\r\n`;
    for (let left = connections; left > 0 && !attacker.signal.aborted; left--) {
      const socket = attacker.connect();
      socket.on('data', () => socket.write(request));
      await new Promise<void>((resolve) => {
        socket.once('connect', () => socket.write(request, () => resolve()));
        socket.once('close', () => resolve());
      });
    }
    await attacker.wait();
  },
});

/** Each view reads the previous one twice. */
const views = afterwards(
  'views of views',
  { ...onAttacked({ query: ['read'] }), orgCapabilities: { views: ['create', 'read'] } },
  () =>
    Array.from({ length: 30 }, (_, depth): Message => {
      const below = depth === 0 ? attackedDataset : `pile${depth - 1}`;
      const body = { name: `pile${depth}`, aplQuery: `union ${below}, ${below}`, datasets: [attackedDataset] };
      return { path: '/v2/views', body: JSON.stringify(body) };
    }),
  4,
  () => generateMessages((number) => query(`pile${number % 30} | count`)),
);

/** Readers that tail another client's events; each keeps a request open. */
const tails = (readers: number): Attack => ({
  name: `${readers} readers of events as they come`,
  rights: mayBoth,
  run: async (attacker) => {
    const tail = { path: '/v1/tail', body: JSON.stringify({ apl: attackedDataset }) };
    const read = attacker.flood(readers, endless(tail));
    await attacker.flood(2, endless(events(numberedEvents(1000))));
    await read;
  },
});

const deletions = afterwards(
  'deletions of what a long query finds',
  onAttacked({ ingest: ['create'], data: ['delete'] }),
  () => [events(numberedEvents(1000))],
  20,
  () =>
    generateMessages((number) => ({
      path: '/v2/datasets/_apl/delete',
      body: JSON.stringify({
        apl: `${attackedDataset} | where n % 7919 == ${number} and text matches regex '(0*1*)*2'`,
        commit: true,
      }),
    })),
);

/** The condition takes all the available time. */
const longDeletions = sendRepeatedly(
  20,
  'deletions with a condition that takes a minute',
  onAttacked({ data: ['delete'], query: ['read'] }),
  () => ({
    path: '/v2/datasets/_apl/delete',
    body: JSON.stringify({ apl: `${attackedDataset} | where n in ((${slow} by n | project n))` }),
  }),
);

const rare = (count: number, part: string): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`rare.${part}.${n}`, n]));
const wideExports = afterwards(
  'exports of an event with 50,000 fields',
  mayBoth,
  () => [events([rare(50_000, 'exported')])],
  4,
  () =>
    endless({
      path: `/v1/export?apl=${encodeURIComponent(`${attackedDataset} | where isnotnull(['rare.exported.1'])`)}`,
    }),
);

const vacuum: Attack = {
  name: 'a vacuum of 400,000 names',
  rights: onAttacked({ ingest: ['create'], data: ['delete'], vacuum: ['update'] }),
  run: (attacker) =>
    attacker.flood(1, [
      ...Array.from({ length: 4 }, (_, part) => events([rare(100_000, `${part}`)])),
      { path: '/v2/datasets/_apl/delete', body: JSON.stringify({ apl: attackedDataset, commit: true }) },
      { path: `/v2/datasets/${attackedDataset}/vacuum`, body: '' },
    ]),
};

/** Other features. The last one deletes data that others query. */
export const features: Kind = {
  attacks: [
    batches,
    templates,
    expressions,
    boards,
    signedIn,
    sessionLists,
    monitors,
    hangingNotifiers,
    previews,
    rememberedQueries,
    keptConnections(1000),
    views,
    tails(100),
    wideExports,
    deletions,
    longDeletions,
    vacuum,
  ],
};
