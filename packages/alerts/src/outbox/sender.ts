import type { Attempt, HttpAnswer, HttpRequest, Mail } from '../channels/channel.js';

/** Sends notifications over the network; a parameter, so that tests can simulate it. */
export interface Sender {
  post(request: HttpRequest, signal: AbortSignal): Promise<PostResult>;
  mail(mail: Mail, signal: AbortSignal): Promise<Attempt>;
}

export type PostResult =
  | { readonly kind: 'answer'; readonly answer: HttpAnswer }
  /** No response. `final` if retries cannot help. */
  | { readonly kind: 'none'; readonly problem: string; readonly final: boolean };
