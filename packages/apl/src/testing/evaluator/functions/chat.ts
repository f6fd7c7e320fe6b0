import type { Plain } from '../functions.js';
import { isBag, isList, jsonOf, textOf } from '../values.js';
import type { Bag, Type, Value } from '../values.js';

const member = (value: Value, key: string): Value => (isBag(value) ? (value[key] ?? null) : null);
const textAt = (value: Value, key: string): string => {
  const found = member(value, key);
  return typeof found === 'string' ? found : '';
};
const listAt = (value: Value, key: string): readonly Value[] => {
  const found = member(value, key);
  return isList(found) ? found : [];
};

const partsOf = (message: Value): readonly Value[] => [...listAt(message, 'content'), ...listAt(message, 'parts')];
const isAnswer = (part: Value): boolean => ['tool_result', 'tool_call_response'].includes(textAt(part, 'type'));

function partText(part: Value): string {
  if (typeof part === 'string') return part;
  if (textAt(part, 'text') !== '') return textAt(part, 'text');
  return ['text', ''].includes(textAt(part, 'type')) ? textAt(part, 'content') : '';
}

function contentOf(message: Value): string {
  const inParts = isList(member(message, 'content')) || isList(member(message, 'parts'));
  if (!inParts) return textAt(message, 'content');
  return partsOf(message)
    .map(partText)
    .filter((text) => text !== '')
    .join('\n');
}

/** The role of a message, or `tool` for a user's message that contains only tool results. */
function speakerOf(message: Value): string {
  const role = textAt(message, 'role');
  const parts = partsOf(message);
  return role === 'user' && parts.length > 0 && parts.every(isAnswer) ? 'tool' : role;
}

const callsOf = (messages: readonly Value[]): readonly Value[] =>
  messages.flatMap((message) => {
    const older = member(message, 'function_call');
    return [
      ...listAt(message, 'tool_calls'),
      ...(isBag(older) ? [{ type: 'function', function: older } satisfies Bag] : []),
      ...partsOf(message).filter((part) => ['tool_use', 'tool_call'].includes(textAt(part, 'type'))),
    ];
  });

function answersOf(messages: readonly Value[]): readonly Value[] {
  const all = messages.flatMap((message) => [
    ...(['tool', 'function'].includes(textAt(message, 'role')) ? [member(message, 'content')] : []),
    ...partsOf(message)
      .filter(isAnswer)
      .map((part) => member(part, 'content') ?? member(part, 'result')),
  ]);
  return all
    .filter((answer) => answer !== null)
    .map((answer) => (typeof answer === 'string' ? (jsonOf(answer) ?? answer) : answer));
}

function turns(messages: readonly Value[]): bigint {
  const speakers = messages.map(speakerOf).filter((speaker) => speaker === 'user' || speaker === 'assistant');
  return BigInt(speakers.filter((speaker, i) => speaker === 'user' && speakers[i + 1] === 'assistant').length);
}

/** Of a conversation, which is an array of messages or a text with their JSON. */
const of = (
  returns: Type,
  answer: (messages: readonly Value[], ...more: never[]) => Value,
  more: readonly Type[] = [],
  optional = more.length,
): readonly Plain[] => [
  {
    params: ['dynamic', ...more],
    optional: 1 + optional,
    returns,
    of: (given: Value, ...rest: never[]) => {
      const messages = typeof given === 'string' ? jsonOf(given) : given;
      return answer(isList(messages) ? messages : [], ...rest);
    },
  },
];

const first = (messages: readonly Value[], ...roles: readonly string[]): string =>
  contentOf(messages.find((message) => roles.includes(textAt(message, 'role'))) ?? null);
const lastBy = (messages: readonly Value[], speaker: string): string =>
  contentOf(messages.findLast((message) => speakerOf(message) === speaker) ?? null);
const place = (messages: readonly Value[], at: bigint): Value => (at < 0n ? null : (messages[Number(at)] ?? null));

const cutOff = /\b(?:length|max_tokens|max_output_tokens|model_length)\b/i;

/** Functions of conversations with language models. */
export const chatFunctions: Readonly<Record<string, readonly Plain[]>> = {
  genai_concat_contents: of(
    'string',
    (messages, separator: string = ' ') =>
      messages
        .map(contentOf)
        .filter((text) => text !== '')
        .join(separator),
    ['string'],
    0,
  ),
  genai_conversation_turns: of('long', turns),
  genai_extract_assistant_response: of('string', (messages) => lastBy(messages, 'assistant')),
  genai_extract_user_prompt: of('string', (messages) => lastBy(messages, 'user')),
  genai_extract_system_prompt: of('string', (messages) => first(messages, 'system', 'developer')),
  genai_extract_tool_calls: of('dynamic', (messages) => {
    const calls = callsOf(messages);
    return calls.length === 0 ? null : calls;
  }),
  genai_extract_function_results: of('dynamic', (messages) => {
    const answers = answersOf(messages);
    return answers.length > 1 ? answers : (answers[0] ?? null);
  }),
  genai_has_tool_calls: of('bool', (messages) => callsOf(messages).length > 0),
  genai_get_content_by_index: of('string', (messages, at: bigint) => contentOf(place(messages, at)), ['long']),
  genai_get_content_by_role: of('string', (messages, role: string) => first(messages, role), ['string']),
  genai_get_role: of('string', (messages, at: bigint) => textAt(place(messages, at), 'role'), ['long']),
  genai_message_roles: of('dynamic', (messages) => messages.map((message) => textAt(message, 'role'))),
  genai_estimate_tokens: [
    { params: ['string'], returns: 'long', of: (text: string) => BigInt(Math.ceil([...text].length / 4)) },
  ],
  genai_is_truncated: [
    {
      params: ['dynamic', 'dynamic'],
      returns: 'bool',
      of: (_: Value, reason: Value) => cutOff.test(textOf(reason, 'dynamic') ?? ''),
    },
  ],
};
