import { AwsV4Signer } from 'aws4fetch';
import type { AddressRules } from '@millrace/http/outgoing/addresses';
import { defaultRegion, sendRequest, textOf } from './aws-requests.js';

interface QueueProperties {
  readonly queueUrl: string;
  readonly region?: string;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
}

export interface QueueMessage {
  readonly body: string;
  /** Names this delivery of the message. */
  readonly receipt: string;
  /** How often it was delivered, with this delivery. */
  readonly deliveries: number;
}

/** Seconds that a request waits for a message, the maximum of SQS. */
const waitSeconds = 20;
/** Messages of a request, the maximum of SQS. */
const messagesAtOnce = 10;
/** Seconds until a message that is neither deleted nor kept is delivered again. */
export const visibilitySeconds = 60;

/** Reads a queue of SQS or of a compatible server, with the JSON protocol. */
export class SqsClient {
  readonly #properties: QueueProperties;
  readonly #rules: AddressRules | undefined;
  readonly #signal: AbortSignal;

  constructor(properties: QueueProperties, rules: AddressRules | undefined, signal: AbortSignal) {
    this.#properties = properties;
    this.#rules = rules;
    this.#signal = signal;
  }

  /** Waits for messages; none if there were none for a while. */
  async receive(): Promise<readonly QueueMessage[]> {
    const { Messages: messages = [] } = await this.#call<{ readonly Messages?: readonly ReceivedMessage[] }>(
      'ReceiveMessage',
      {
        MaxNumberOfMessages: messagesAtOnce,
        WaitTimeSeconds: waitSeconds,
        VisibilityTimeout: visibilitySeconds,
        AttributeNames: [deliveryCount],
      },
    );
    return messages.map(({ Body: body = '', ReceiptHandle: receipt, Attributes: attributes = {} }) => ({
      body,
      receipt,
      deliveries: Number(attributes[deliveryCount] ?? 1),
    }));
  }

  async delete({ receipt }: QueueMessage): Promise<void> {
    await this.#call('DeleteMessage', { ReceiptHandle: receipt });
  }

  /** Delays the next delivery of a message. */
  async keep({ receipt }: QueueMessage): Promise<void> {
    await this.#call('ChangeMessageVisibility', { ReceiptHandle: receipt, VisibilityTimeout: visibilitySeconds });
  }

  /** About how many messages wait. */
  async length(): Promise<number> {
    const { Attributes: attributes = {} } = await this.#call<{
      readonly Attributes?: Readonly<Record<string, string>>;
    }>('GetQueueAttributes', { AttributeNames: [waitingMessages] });
    return Number(attributes[waitingMessages] ?? 0);
  }

  async #call<Reply = unknown>(action: string, parameters: object): Promise<Reply> {
    const { queueUrl } = this.#properties;
    const url = new URL('/', queueUrl);
    const body = JSON.stringify({ QueueUrl: queueUrl, ...parameters });
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` };
    const signed = { ...headers, ...(await this.#signature(url.href, headers, body)) };
    const response = await sendRequest(
      { url, headers: signed, body, peer: 'the queue' },
      { rules: this.#rules, signal: this.#signal },
    );
    const text = await textOf(response);
    const { statusCode = 0 } = response;
    if (statusCode === 200) return (text === '' ? {} : JSON.parse(text)) as Reply;
    const reason = /"__type"\s*:\s*"(?:[^"#]*#)?([^"]*)"/.exec(text)?.[1] ?? '';
    throw new Error(`queue '${queueUrl}' answered ${statusCode} ${reason} to ${action}`);
  }

  async #signature(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<Readonly<Record<string, string>>> {
    const { accessKeyId, secretAccessKey, region = defaultRegion } = this.#properties;
    if (accessKeyId === undefined || secretAccessKey === undefined) return {};
    const signer = new AwsV4Signer({
      url,
      method: 'POST',
      headers,
      body,
      accessKeyId,
      secretAccessKey,
      region,
      service: 'sqs',
      allHeaders: true,
    });
    return Object.fromEntries((await signer.sign()).headers);
  }
}

const deliveryCount = 'ApproximateReceiveCount';
const waitingMessages = 'ApproximateNumberOfMessages';

interface ReceivedMessage {
  readonly Body?: string;
  readonly ReceiptHandle: string;
  readonly Attributes?: Readonly<Record<string, string>>;
}
