import { call, integer, literal } from '@millrace/sql';
import { asString } from '../../lower/values.js';
import { defineOverload, defineFunction, param } from '../define.js';
import type { FunctionRecord } from '../define.js';

/** Finish reasons that mean that the token limit truncated the response. */
const CUT_OFF = '(?i)\\b(?:length|max_tokens|max_output_tokens|model_length)\\b';

/** A rule of thumb for English text. */
const CHARACTERS_PER_TOKEN = 4;

export const tokenFunctions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'genai_estimate_tokens',
    summary: 'A rough estimate of how many tokens a text has: a quarter of its characters, rounded up.',
    params: [param('text', 'string')],
    returns: 'long',
    lower: ([text]) =>
      call(
        'intDiv',
        call('plus', call('lengthUTF8', text.sql), integer(CHARACTERS_PER_TOKEN - 1)),
        integer(CHARACTERS_PER_TOKEN),
      ),
    examples: [
      { apl: 'genai_estimate_tokens("How are you?")', gives: 3 },
      { apl: 'genai_estimate_tokens("größe")', gives: 2 },
      { apl: 'genai_estimate_tokens("")', gives: 0 },
    ],
    differs: { axiom: 'How the documented function estimates is not published.' },
  }),
  {
    name: 'genai_is_truncated',
    summary:
      'Whether the token limit cut off an answer, by its finish reason or a list of reasons; null without a reason.',
    handlesNulls: true,
    overloads: (['string', 'array'] as const).map((type) =>
      defineOverload({
        params: [param('messages', 'any'), param('finish_reason', type)],
        returns: 'bool',
        lower: ([, reason]) => call('match', asString(reason), literal(CUT_OFF)),
      }),
    ),
    examples: [
      { apl: 'genai_is_truncated(dynamic([]), "length")', gives: true },
      { apl: 'genai_is_truncated(dynamic([]), "stop")', gives: false },
      { apl: 'genai_is_truncated(dynamic([]), dynamic(["MAX_TOKENS"]))', gives: true },
      { apl: 'genai_is_truncated(dynamic([]), string(null))', gives: null },
    ],
    differs: { axiom: 'Only the reason length is documented; those of other providers count as well.' },
  },
];
