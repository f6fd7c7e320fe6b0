import { type Answer, readAnswer } from '../result/tabular.js';
import type { Client } from '../connection/client.js';

interface Question {
  readonly apl: string;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly cursor?: string | undefined;
  /** Maximum rows if the query has no limit. */
  readonly defaultLimit?: number;
}

/** @throws AnswerError, ConnectionError */
export async function ask(
  client: Client,
  question: Question,
  signal?: AbortSignal,
): Promise<{ readonly answer: Answer; readonly text: string }> {
  const { apl, start, end, cursor, defaultLimit } = question;
  const text = await client.text('queryApl', {
    ...(signal !== undefined && { signal }),
    query: { format: 'tabular' },
    body: {
      apl,
      ...(start !== undefined && { startTime: start }),
      ...(end !== undefined && { endTime: end }),
      ...(cursor !== undefined && { cursor }),
      ...(defaultLimit !== undefined && { defaultLimit }),
    },
  });
  return { answer: readAnswer(text), text };
}
