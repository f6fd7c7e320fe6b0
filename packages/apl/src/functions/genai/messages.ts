import { and, call, column, lambda, literal, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { elementTexts, memberText } from '../../lower/json/json-parts.js';
import { asString } from '../../lower/values.js';
import { elementsOf } from '../../lower/json/members.js';
import { filterElements, mapElements } from '../array/elements.js';
import type { LoweredArgument } from '../define.js';
import { isOneOf } from '../is-one-of.js';
import { holdsArray, holdsText, jsonOrText } from '../json-text.js';

/**
 * Conversations with language models: arrays of messages with a role. Content has several forms: a
 * string, an array of parts with `text` (OpenAI, Anthropic), or `parts` with `content` (the
 * OpenTelemetry conventions). Messages are JSON texts here.
 */

/** The messages as `Array(String)`; the conversation may also be a text that holds the JSON. */
export const messagesOf = (conversation: LoweredArgument): Expr => elementsOf(asString(conversation));

export const roleOf = (message: Expr): Expr => call('JSONExtractString', message, literal('role'));

const key = (name: string): Expr => literal(name);
const raw = (json: Expr, name: string): Expr => memberText(json, key(name));
const textAt = (json: Expr, name: string): Expr => call('JSONExtractString', json, key(name));

/** The parts of a message; none if its content is a text. */
const partsOf = (message: Expr): Expr =>
  call('arrayConcat', elementTexts(message, key('content')), elementTexts(message, key('parts')));

const textOfPart = (part: Expr): Expr =>
  call(
    'multiIf',
    holdsText(part),
    call('JSONExtractString', part),
    call('notEquals', textAt(part, 'text'), literal('')),
    textAt(part, 'text'),
    // A tool result is not text of the conversation.
    isOneOf(textAt(part, 'type'), ['text', '']),
    textAt(part, 'content'),
    literal(''),
  );

const isToolResult = (part: Expr): Expr => isOneOf(textAt(part, 'type'), ['tool_result', 'tool_call_response']);

/**
 * The role of the author of a message: its role, or the tool if a user's message contains only tool
 * results, as Anthropic sends them.
 */
export const speakerOf = (message: Expr): Expr =>
  call(
    'if',
    and(
      call('equals', roleOf(message), literal('user')),
      call('notEmpty', partsOf(message)),
      call('arrayAll', lambda(['part'], isToolResult(column('part'))), partsOf(message)),
    ),
    literal('tool'),
    roleOf(message),
  );

/** Text of a message: its content, or its text parts on separate lines; empty if it has none. */
export const contentOf = (message: Expr): Expr =>
  call(
    'if',
    or(holdsArray(raw(message, 'content')), holdsArray(raw(message, 'parts'))),
    call(
      'arrayStringConcat',
      filterElements(mapElements(partsOf(message), 'part', textOfPart), 'text', (text) =>
        call('notEquals', text, literal('')),
      ),
      literal('\n'),
    ),
    textAt(message, 'content'),
  );

/** All calls of tools as `Array(String)` of JSON texts. */
export const toolCallsOf = (messages: Expr): Expr =>
  call(
    'arrayFlatten',
    mapElements(messages, 'message', (message) =>
      call(
        'arrayConcat',
        elementTexts(message, key('tool_calls')),
        // OpenAI's older form, converted to the newer one.
        filterElements(
          call(
            'array',
            call('concat', literal('{"type":"function","function":'), raw(message, 'function_call'), literal('}')),
          ),
          'call',
          (text) => call('endsWith', text, literal('}}')),
        ),
        filterElements(partsOf(message), 'part', (part) => isOneOf(textAt(part, 'type'), ['tool_use', 'tool_call'])),
      ),
    ),
  );

/**
 * Tool results as `Array(String)` of JSON texts: JSON in a string is parsed, other strings stay
 * strings.
 */
export function toolResultsOf(messages: Expr): Expr {
  const ofPart = (part: Expr): Expr =>
    call(
      'multiIf',
      call('notEquals', raw(part, 'content'), literal('')),
      raw(part, 'content'),
      call('notEquals', raw(part, 'response'), literal('')),
      raw(part, 'response'),
      raw(part, 'result'),
    );
  const results = mapElements(messages, 'message', (message) =>
    call(
      'arrayConcat',
      filterElements(call('array', raw(message, 'content')), 'content', () =>
        isOneOf(roleOf(message), ['tool', 'function']),
      ),
      mapElements(filterElements(partsOf(message), 'part', isToolResult), 'part', ofPart),
    ),
  );
  const unpackMessages = (result: Expr): Expr =>
    call(
      'if',
      holdsText(result),
      call('ifNull', jsonOrText(call('JSONExtractString', result)), literal('null')),
      result,
    );
  // An empty result comes from a message with role "tool" whose parts contain the result.
  const present = filterElements(call('arrayFlatten', results), 'result', (result) =>
    call('notIn', result, call('tuple', literal(''), literal('null'))),
  );
  return mapElements(present, 'result', unpackMessages);
}
