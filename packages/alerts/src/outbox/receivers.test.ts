import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { httpPost } from './http-post.js';
import { sendMail, type SmtpSettings } from './smtp.js';

/** Receivers that are real, and behave in every way that receivers do. */

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listen(answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const { signal } = new AbortController();
const post = (url: string, { timeout = 5000, headers = {}, allowsPrivate = true } = {}) =>
  httpPost(
    { url, headers: { 'content-type': 'application/json', ...headers }, body: '{"ü":1}' },
    { allowsPrivate, timeout },
    signal,
  );

describe('HTTP', () => {
  test('the request is as it was made, and the answer is read', async () => {
    const seen: unknown[] = [];
    const url = await listen((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { 'content-type': type, a } = request.headers;
        seen.push(request.method, request.url, type, a, Buffer.concat(chunks).toString());
        response.writeHead(202, { 'x-id': '7' }).end('taken');
      });
    });
    expect(await post(url, { headers: { a: 'b' } })).toMatchObject({
      kind: 'answer',
      answer: { status: 202, text: 'taken', headers: { 'x-id': '7' } },
    });
    expect(seen).toEqual(['POST', '/hook', 'application/json', 'b', '{"ü":1}']);
  });

  test('a redirect is an answer and is not followed', async () => {
    let calls = 0;
    const url = await listen((_, response) => {
      calls++;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await post(url)).toMatchObject({ answer: { status: 307, headers: { location: '/elsewhere' } } });
    expect(calls).toBe(1);
  });

  test('of a body of ten megabytes, and of one without end, only the beginning is taken', async () => {
    const chunk = 'x'.repeat(65_536);
    const url = await listen((_, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    const answer = await post(url);
    expect(answer).toMatchObject({ kind: 'answer', answer: { status: 200 } });
    expect(answer.kind === 'answer' && answer.answer.text.length).toBe(65_536);
  });

  test.each<readonly [string, RequestListener]>([
    ['never answers', () => undefined],
    ['never ends its answer', (_, response) => void response.writeHead(500).write('x')],
  ])('one that %s is given up', async (_, answer) =>
    expect(await post(await listen(answer), { timeout: 100 })).toEqual({
      kind: 'none',
      problem: 'no answer within 0.1 s',
      final: false,
    }),
  );

  test('a success status whose body breaks off counts as success', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('some', () => response.destroy());
    });
    expect(await post(url)).toMatchObject({ kind: 'answer', answer: { status: 200 } });
  });

  test('one that breaks the connection off may do better later', async () =>
    expect(await post(await listen((request) => void request.socket.destroy()))).toMatchObject({
      kind: 'none',
      final: false,
    }));

  test.each([
    ['http://127.0.0.1:9/', 'private address 127.0.0.1 is blocked'],
    ['http://[::ffff:169.254.169.254]/', 'is blocked'],
    ['http://localhost:9/', 'localhost: '],
  ])('%s is not called', async (url, problem) =>
    expect(await post(url, { allowsPrivate: false })).toMatchObject({
      kind: 'none',
      final: true,
      problem: expect.stringContaining(problem),
    }),
  );
});

describe('SMTP', () => {
  const mail = {
    to: 'ada@example.com',
    subject: '[Triggered] Ünïcode',
    text: 'It is on.',
    html: '<p>It is on.</p>',
    messageId: 'abc@millrace',
    thread: 'def@millrace',
  };
  interface ReceivedMail {
    readonly to: readonly string[];
    readonly text: string;
  }
  async function mailServer(options: ConstructorParameters<typeof SMTPServer>[0] = {}) {
    const received: ReceivedMail[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          received.push({
            to: session.envelope.rcptTo.map(({ address }) => address),
            text: Buffer.concat(chunks).toString(),
          });
          done();
        });
      },
      ...options,
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => server.close(() => resolve())));
    const settings: SmtpSettings = {
      smtpHost: '127.0.0.1',
      smtpPort: (server.server.address() as AddressInfo).port,
      smtpTls: 'none',
      smtpUser: undefined,
      smtpPassword: undefined,
      smtpFrom: 'Millrace <millrace@example.com>',
      notifyTimeout: 5000,
    };
    return { received, settings };
  }

  test('a message arrives, with an id that stays the same and the thread of its incident', async () => {
    const { received, settings } = await mailServer();
    expect(await sendMail(mail, settings)).toEqual({ kind: 'delivered' });
    expect(received).toMatchObject([{ to: ['ada@example.com'] }]);
    const { text } = received[0]!;
    for (const line of [
      'Message-ID: <abc@millrace>',
      'References: <def@millrace>',
      'Auto-Submitted: auto-generated',
      'From: Millrace <millrace@example.com>',
    ])
      expect(text).toContain(line);
    expect(text).toContain('text/html');
  });

  test('logs in where a user is set', async () => {
    const seen: unknown[] = [];
    const { settings } = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) => {
        seen.push([username, password]);
        done(password === 'right' ? null : new Error('no'), { user: username });
      },
    });
    const user = { ...settings, smtpUser: 'u', smtpPassword: 'right' };
    expect(await sendMail(mail, user)).toEqual({ kind: 'delivered' });
    expect(await sendMail(mail, { ...user, smtpPassword: 'wrong' })).toMatchObject({
      kind: 'failed',
      problem: expect.stringContaining('MILLRACE_SMTP_USER'),
    });
    expect(seen).toEqual([
      ['u', 'right'],
      ['u', 'wrong'],
    ]);
  });

  test.each([
    [550, 'failed'],
    [451, 'later'],
  ] as const)('a server that answers %i: %s', async (responseCode, kind) => {
    const { settings } = await mailServer({
      onRcptTo: (_, __, done) => done(Object.assign(new Error('no'), { responseCode })),
    });
    expect(await sendMail(mail, settings)).toEqual({ kind, problem: `the mail server answers ${responseCode}` });
  });

  test('connection failures are retried; a missing or unsupported TLS setting is permanent', async () => {
    const { settings } = await mailServer();
    expect(await sendMail(mail, { ...settings, smtpPort: 9 })).toMatchObject({ kind: 'later' });
    expect(await sendMail(mail, { ...settings, smtpHost: undefined })).toMatchObject({
      kind: 'failed',
      problem: expect.stringContaining('MILLRACE_SMTP_HOST'),
    });
    expect(await sendMail(mail, { ...settings, smtpTls: 'starttls' })).toMatchObject({ kind: 'failed' });
  });
});
