import { and, call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { arrayJson } from '../../lower/json/members.js';
import type { ScalarType } from '../../model/types.js';
import { defineOverload, param } from '../define.js';
import type { ArgumentsOf, Example, FunctionRecord, LoweredArgument, Param } from '../define.js';
import { filterElements, mapElements } from '../array/elements.js';
import { contentOf, messagesOf, roleOf, speakerOf, toolCallsOf, toolResultsOf } from './messages.js';

/**
 * A function of a conversation, which is an array of messages or a text with their JSON; null for
 * null.
 */
function record<const More extends readonly Param[]>(
  name: string,
  summary: string,
  returns: ScalarType,
  more: More,
  lower: (messages: Expr, args: ArgumentsOf<More, undefined, LoweredArgument>) => Expr,
  examples: readonly Example[],
  axiom?: string,
): FunctionRecord;
function record(
  name: string,
  summary: string,
  returns: ScalarType,
  more: readonly Param[],
  lower: (messages: Expr, args: readonly LoweredArgument[]) => Expr,
  examples: readonly Example[],
  axiom?: string,
): FunctionRecord {
  return {
    name: `genai_${name}`,
    summary,
    overloads: (['array', 'string'] as const).map((type) =>
      defineOverload({
        params: [param('messages', type), ...more],
        returns,
        lower: ([conversation, ...args]) =>
          call(
            'if',
            and(...[conversation, ...args].map((arg) => call('isNotNull', arg.sql))),
            lower(messagesOf(conversation), args),
            nullOf(returns),
          ),
      }),
    ),
    examples,
    ...(axiom === undefined ? {} : { differs: { axiom } }),
  };
}

const hasRole = (roles: readonly Expr[]): Expr =>
  lambda(['message'], call('in', roleOf(column('message')), call('tuple', ...roles)));
const contentOfFirst = (messages: Expr, ...roles: readonly Expr[]): Expr =>
  shareSubexpression(call('arrayFirst', hasRole(roles), messages), contentOf);
const contentOfLastBy = (messages: Expr, speaker: 'assistant' | 'user'): Expr =>
  shareSubexpression(
    call('arrayLast', lambda(['message'], call('equals', speakerOf(column('message')), literal(speaker))), messages),
    contentOf,
  );

/** The element at a zero-based index; the empty string if there is none. */
const elementAt = (array: Expr, index: Expr): Expr =>
  call(
    'arrayElement',
    array,
    call('greatest', call('plus', call('ifNull', index, integer(-1)), integer(1)), integer(0)),
  );

/**
 * How often a response of the model follows a user's message directly; tool and system messages in
 * between are ignored.
 */
function turns(messages: Expr): Expr {
  const roles = filterElements(mapElements(messages, 'message', speakerOf), 'role', (role) =>
    call('in', role, call('tuple', literal('user'), literal('assistant'))),
  );
  return shareSubexpression(roles, (all) =>
    call(
      'arrayCount',
      lambda(
        ['role', 'next'],
        and(call('equals', column('role'), literal('user')), call('equals', column('next'), literal('assistant'))),
      ),
      call('arrayPopBack', all),
      call('arrayPopFront', all),
    ),
  );
}

/** Null instead of an empty array. */
const unlessEmpty = (elements: Expr, type: ScalarType, body: (elements: Expr) => Expr): Expr =>
  shareSubexpression(elements, (all) => call('if', call('notEmpty', all), body(all), nullOf(type)));

const chat =
  'dynamic([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}, {"role": "user", "content": "Bye ü"}])';
const chatText =
  '\'[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [{"type": "text", "text": "Hello"}, {"type": "text", "text": "you"}]}]\'';
const otelChat = 'dynamic([{"role": "user", "parts": [{"type": "text", "content": "Weather?"}]}])';
const toolChat =
  'dynamic([{"role": "user", "content": "Weather?"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "function": {"name": "weather"}}]}, {"role": "tool", "content": "{\\"temperature\\": 21}"}])';
const anthropicChat =
  'dynamic([{"role": "assistant", "content": [{"type": "text", "text": "Let me see"}, {"type": "tool_use", "name": "weather"}]}, {"role": "user", "content": [{"type": "tool_result", "content": "sunny"}, {"type": "tool_result", "content": "dry"}]}])';
const toolLoop =
  'dynamic([{"role": "user", "content": "Weather?"}, {"role": "assistant", "content": [{"type": "tool_use", "name": "weather"}]}, {"role": "user", "content": [{"type": "tool_result", "content": "sunny"}]}, {"role": "assistant", "content": "Sunny"}])';

export const conversations: readonly FunctionRecord[] = [
  record(
    'concat_contents',
    'The texts of all messages, joined by a separator, a space by default. Messages without text are left out.',
    'string',
    [param('separator', 'string', { optional: true, constant: true })],
    (messages, [separator]) =>
      call(
        'arrayStringConcat',
        filterElements(mapElements(messages, 'message', contentOf), 'text', (text) =>
          call('notEquals', text, literal('')),
        ),
        literal(typeof separator?.constant === 'string' ? separator.constant : ' '),
      ),
    [
      { apl: `genai_concat_contents(${chat})`, gives: 'Be brief. Hi Hello Bye ü' },
      { apl: `genai_concat_contents(tostring(${chat}))`, gives: 'Be brief. Hi Hello Bye ü' },
      { apl: `genai_concat_contents(${chatText}, " / ")`, gives: 'Hi / Hello\nyou' },
      { apl: `genai_concat_contents(${toolChat})`, gives: 'Weather? {"temperature": 21}' },
      { apl: 'genai_concat_contents("no JSON")', gives: '' },
    ],
    'The separator is not written after the last message, although one printed example has it there.',
  ),
  record(
    'conversation_turns',
    "How many times an answer of the model follows a user's message; tool and system messages in between are passed over.",
    'long',
    [],
    turns,
    [
      { apl: `genai_conversation_turns(${chat})`, gives: 1 },
      { apl: `genai_conversation_turns(tostring(${chat}))`, gives: 1 },
      { apl: `genai_conversation_turns(${toolChat})`, gives: 1 },
      { apl: `genai_conversation_turns(${toolLoop})`, gives: 1 },
      { apl: 'genai_conversation_turns(dynamic([]))', gives: 0 },
    ],
    'The documentation does not say how turns are counted.',
  ),
  record(
    'extract_assistant_response',
    'The text of the last message of the assistant; empty if there is none.',
    'string',
    [],
    (messages) => contentOfLastBy(messages, 'assistant'),
    [
      { apl: `genai_extract_assistant_response(${chat})`, gives: 'Hello' },
      { apl: `genai_extract_assistant_response(tostring(${chat}))`, gives: 'Hello' },
      { apl: 'genai_extract_assistant_response(dynamic([]))', gives: '' },
    ],
  ),
  record(
    'extract_user_prompt',
    'The text of the last message of the user; empty if there is none.',
    'string',
    [],
    (messages) => contentOfLastBy(messages, 'user'),
    [
      { apl: `genai_extract_user_prompt(${chat})`, gives: 'Bye ü' },
      { apl: `genai_extract_user_prompt(tostring(${chat}))`, gives: 'Bye ü' },
      { apl: `genai_extract_user_prompt(${otelChat})`, gives: 'Weather?' },
      { apl: `genai_extract_user_prompt(${toolLoop})`, gives: 'Weather?' },
    ],
  ),
  record(
    'extract_system_prompt',
    'The text of the first message of the system or developer; empty if there is none.',
    'string',
    [],
    (messages) => contentOfFirst(messages, literal('system'), literal('developer')),
    [
      { apl: `genai_extract_system_prompt(${chat})`, gives: 'Be brief.' },
      { apl: `genai_extract_system_prompt(tostring(${chat}))`, gives: 'Be brief.' },
      { apl: `genai_extract_system_prompt(${chatText})`, gives: '' },
    ],
  ),
  record(
    'extract_tool_calls',
    'All calls of tools and functions in the messages, as an array; null if there are none.',
    'array',
    [],
    (messages) => unlessEmpty(toolCallsOf(messages), 'array', arrayJson),
    [
      { apl: `genai_extract_tool_calls(${toolChat})`, gives: [{ id: 'c1', function: { name: 'weather' } }] },
      { apl: `genai_extract_tool_calls(tostring(${toolChat}))`, gives: [{ id: 'c1', function: { name: 'weather' } }] },
      { apl: `genai_extract_tool_calls(${anthropicChat})[0].name`, gives: 'weather' },
      {
        apl: 'genai_extract_tool_calls(dynamic([{"role": "assistant", "function_call": {"name": "f"}}]))',
        gives: [{ type: 'function', function: { name: 'f' } }],
      },
      { apl: `genai_extract_tool_calls(${chat})`, gives: null },
    ],
  ),
  record(
    'extract_function_results',
    'The answer of a tool or function; JSON in a text is parsed. An array if there are several answers, null if there are none.',
    'dynamic',
    [],
    (messages) =>
      unlessEmpty(toolResultsOf(messages), 'dynamic', (results) =>
        call(
          'if',
          call('equals', call('length', results), integer(1)),
          call('arrayElement', results, integer(1)),
          arrayJson(results),
        ),
      ),
    [
      { apl: `genai_extract_function_results(${toolChat})`, gives: { temperature: 21 } },
      { apl: `genai_extract_function_results(tostring(${toolChat}))`, gives: { temperature: 21 } },
      { apl: `genai_extract_function_results(${anthropicChat})`, gives: ['sunny', 'dry'] },
      { apl: `genai_extract_function_results(${chat})`, gives: null },
    ],
    'The documentation does not say what several answers give.',
  ),
  record(
    'has_tool_calls',
    'Whether a message calls a tool or function.',
    'bool',
    [],
    (messages) => call('notEmpty', toolCallsOf(messages)),
    [
      { apl: `genai_has_tool_calls(${toolChat})`, gives: true },
      { apl: `genai_has_tool_calls(tostring(${toolChat}))`, gives: true },
      { apl: `genai_has_tool_calls(${chat})`, gives: false },
    ],
  ),
  record(
    'get_content_by_index',
    'The text of the message at a position counted from 0; empty if there is none.',
    'string',
    [param('index', 'long')],
    (messages, [index]) => shareSubexpression(elementAt(messages, index.sql), contentOf),
    [
      { apl: `genai_get_content_by_index(${chat}, 1)`, gives: 'Hi' },
      { apl: `genai_get_content_by_index(tostring(${chat}), 1)`, gives: 'Hi' },
      { apl: `genai_get_content_by_index(${chat}, 9)`, gives: '' },
      { apl: `genai_get_content_by_index(${chat}, toint("-1"))`, gives: '' },
    ],
  ),
  record(
    'get_content_by_role',
    'The text of the first message with the role; empty if there is none.',
    'string',
    [param('role', 'string')],
    (messages, [role]) => contentOfFirst(messages, role.sql),
    [
      { apl: `genai_get_content_by_role(${chat}, "user")`, gives: 'Hi' },
      { apl: `genai_get_content_by_role(tostring(${chat}), "user")`, gives: 'Hi' },
      { apl: `genai_get_content_by_role(${chat}, strcat("too", "l"))`, gives: '' },
    ],
  ),
  record(
    'get_role',
    'The role of the message at a position counted from 0; empty if there is none.',
    'string',
    [param('index', 'long')],
    (messages, [index]) => roleOf(elementAt(messages, index.sql)),
    [
      { apl: `genai_get_role(${chat}, 0)`, gives: 'system' },
      { apl: `genai_get_role(tostring(${chat}), 0)`, gives: 'system' },
      { apl: `genai_get_role(${chat}, 9)`, gives: '' },
    ],
  ),
  record(
    'message_roles',
    'The roles of the messages in order, as an array.',
    'array',
    [],
    (messages) => arrayJson(mapElements(messages, 'message', (message) => call('toJSONString', roleOf(message)))),
    [
      { apl: `genai_message_roles(${chat})`, gives: ['system', 'user', 'assistant', 'user'] },
      { apl: `genai_message_roles(tostring(${chat}))`, gives: ['system', 'user', 'assistant', 'user'] },
      { apl: 'genai_message_roles(dynamic([]))', gives: [] },
    ],
  ),
];
