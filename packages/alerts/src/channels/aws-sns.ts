import { createHash, createHmac } from 'node:crypto';
import { channel, form, headline, type HttpRequest } from './channel.js';
import { plainMessage, truncateBytes } from './plain-message.js';

/** `Publish` of Amazon SNS, signed with version 4. FIFO topics detect repeated attempts. */
export const awsSns = channel({
  name: 'awsSns',
  delivery: ({ topicArn, accessKeyId, secretAccessKey }, notification, { id, now, ...links }) => {
    const [, partition = '', , region = ''] = topicArn.split(':');
    const host = `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
    const delivery = form(`https://${host}/`, {
      Action: 'Publish',
      Version: '2010-03-31',
      TopicArn: topicArn,
      Subject: subjectOf(headline(notification)),
      Message: truncateBytes(plainMessage(notification, links, 60_000), 250_000),
      ...(topicArn.endsWith('.fifo') && {
        MessageGroupId: hash(notification.incident),
        MessageDeduplicationId: hash(id),
      }),
    });
    return { kind: 'http', request: withSignature(delivery.request, { region, accessKeyId, secretAccessKey, now }) };
  },
});

/** Fewer than 100 printable ASCII characters. */
const subjectOf = (text: string): string =>
  text
    .replaceAll(/[^\u0020-\u007e]+/g, '?')
    .slice(0, 99)
    .trim();

interface SigningOptions {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Adds the headers of AWS Signature Version 4 to a POST to the root of a host. */
function withSignature(
  request: HttpRequest,
  { region, accessKeyId, secretAccessKey, now }: SigningOptions,
): HttpRequest {
  const time = new Date(now).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
  const date = time.slice(0, 8);
  const headers = { ...request.headers, host: new URL(request.url).host, 'x-amz-date': time };
  const sorted = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = sorted.map(([name]) => name).join(';');
  const lines = sorted.map(([name, value]) => `${name}:${value}`);
  const canonical = ['POST', '/', '', ...lines, '', names, hash(request.body)].join('\n');
  const scope = `${date}/${region}/sns/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n');
  const key = [date, region, 'sns', 'aws4_request'].reduce<string | Buffer>(mac, `AWS4${secretAccessKey}`);
  const signature = mac(key, text).toString('hex');
  const credential = `Credential=${accessKeyId}/${scope}`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...request, headers: { ...headers, authorization } };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
