import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwsV4Signer } from 'aws4fetch';

interface StoredMessage {
  readonly id: string;
  readonly body: string;
  deliveries: number;
  receipt: string;
  isVisible: boolean;
}

export const queueKeys = { accessKeyId: 'A'.repeat(16), secretAccessKey: 'secret' } as const;

/**
 * A queue that speaks the JSON protocol of SQS and checks the signatures of `queueKeys`. Messages
 * become visible again when a test says so.
 */
export class MemoryQueue {
  readonly #messages = new Map<string, StoredMessage>();
  /** Actions of the requests, in order. */
  readonly actions: string[] = [];
  /** Actions that fail, once each. */
  readonly failing = new Set<string>();
  #count = 0;
  #origin = '';
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  /** @returns the URL of the queue */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return `${this.#origin}/000000000000/q`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  send(body: string | object): void {
    const id = `m${this.#count++}`;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    this.#messages.set(id, { id, body: text, deliveries: 0, receipt: '', isVisible: true });
  }

  /** Bodies of messages that were not deleted. */
  get bodies(): readonly string[] {
    return [...this.#messages.values()].map(({ body }) => body);
  }

  /** Ends the time in which received messages are hidden. */
  showAll(): void {
    for (const message of this.#messages.values()) message.isVisible = true;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    const action = String(request.headers['x-amz-target']).replace('AmazonSQS.', '');
    this.actions.push(action);
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    const fail = (status: number, type: string) =>
      void response.writeHead(status).end(JSON.stringify({ __type: `com.amazonaws.sqs#${type}`, message: type }));
    if (!(await this.#isSigned(request, body))) return fail(403, 'SignatureDoesNotMatch');
    if (this.failing.delete(action)) return fail(500, 'InternalFailure');
    const parameters = JSON.parse(body) as Readonly<Record<string, unknown>>;
    if (parameters['QueueUrl'] !== `${this.#origin}/000000000000/q`) return fail(400, 'QueueDoesNotExist');
    const reply = this.#act(action, parameters);
    if (reply === undefined) return fail(400, 'ReceiptHandleIsInvalid');
    response.end(JSON.stringify(reply));
  }

  /** Signs the request again, with the headers that the signature names. */
  async #isSigned({ headers, method = '', url = '' }: IncomingMessage, body: string): Promise<boolean> {
    const names = /SignedHeaders=([^,]*)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
    const signed = names.filter((name) => name !== 'host').map((name) => [name, String(headers[name])] as const);
    const signer = new AwsV4Signer({
      url: `${this.#origin}${url}`,
      method,
      headers: Object.fromEntries(signed),
      body,
      ...queueKeys,
      region: 'us-east-1',
      service: 'sqs',
      datetime: String(headers['x-amz-date']),
      allHeaders: true,
    });
    return (await signer.sign()).headers.get('authorization') === headers.authorization;
  }

  #act(action: string, parameters: Readonly<Record<string, unknown>>): object | undefined {
    if (action === 'ReceiveMessage') return this.#receive(Number(parameters['MaxNumberOfMessages']));
    if (action === 'GetQueueAttributes') {
      const waiting = [...this.#messages.values()].filter(({ isVisible }) => isVisible).length;
      return { Attributes: { ApproximateNumberOfMessages: String(waiting) } };
    }
    const message = [...this.#messages.values()].find(({ receipt }) => receipt === parameters['ReceiptHandle']);
    if (message === undefined) return undefined;
    if (action === 'DeleteMessage') this.#messages.delete(message.id);
    return {};
  }

  #receive(max: number): object {
    const found = [...this.#messages.values()].filter(({ isVisible }) => isVisible).slice(0, max);
    for (const message of found) {
      message.isVisible = false;
      message.receipt = `${message.id}-${++message.deliveries}`;
    }
    if (found.length === 0) return {};
    return {
      Messages: found.map(({ id, body, receipt, deliveries }) => ({
        MessageId: id,
        ReceiptHandle: receipt,
        Body: body,
        Attributes: { ApproximateReceiveCount: String(deliveries) },
      })),
    };
  }
}
