import type { Attempt, HttpAnswer, HttpRequest, Mail } from '../channels/channel.js';

/** What takes notifications out of the house: an argument, so that a simulation can be one. */
export interface Sender {
  post(request: HttpRequest, signal: AbortSignal): Promise<Posted>;
  mail(mail: Mail, signal: AbortSignal): Promise<Attempt>;
}

export type Posted =
  | { readonly kind: 'answer'; readonly answer: HttpAnswer }
  /** No answer came. `final` if none ever will. */
  | { readonly kind: 'none'; readonly problem: string; readonly final: boolean };
