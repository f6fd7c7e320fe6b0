import { call, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { packBag } from '../../lower/json/members.js';
import type { ModelPrice } from '../../model/reference-data.js';
import { defineFunction, param } from '../define.js';
import type {
  AboutArgument,
  ArgumentsOf,
  Example,
  FoldContext,
  FunctionRecord,
  LoweredArgument,
  LowerContext,
  Param,
} from '../define.js';

const MILLION = 1e6;

/**
 * Release dates that providers append to the name of a model: `gpt-4o-2024-08-06`,
 * `claude-3-5-sonnet-20241022`.
 */
const RELEASE = '[-@](?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8}|latest)$';

/**
 * Price of a model per million tokens; null if it is not in the table, with or without its release
 * date.
 */
function priceOf(side: keyof ModelPrice, model: Expr, { reference }: LowerContext): Expr {
  const prices = [...(reference.modelPrices ?? [])];
  if (prices.length === 0) return nullOf('real');
  const names = call('array', ...prices.map(([name]) => literal(name)));
  const values = call('array', ...prices.map(([, price]) => literal(price[side])));
  const lookUpPrice = (name: Expr): Expr => call('transform', name, names, values, nullOf('real'));
  return shareSubexpression(model, (name) =>
    call('coalesce', lookUpPrice(name), lookUpPrice(call('replaceRegexpOne', name, literal(RELEASE), literal('')))),
  );
}

/** US dollars for a number of tokens. */
const costOf = (price: Expr, tokens: Expr): Expr => call('divide', call('multiply', price, tokens), literal(MILLION));

const checkPrices =
  (name: string) =>
  (_: unknown, { reference }: FoldContext): AboutArgument | undefined =>
    reference.modelPrices === undefined
      ? { argument: 0, message: `${name} needs the prices of models: the setting model-prices names no file` }
      : undefined;

const record = <const Params extends readonly Param[]>(
  name: string,
  summary: string,
  returns: 'real' | 'bag',
  params: Params,
  lower: (args: ArgumentsOf<Params, undefined, LoweredArgument>, context: LowerContext) => Expr,
  examples: readonly Example[],
): FunctionRecord => defineFunction({ name, summary, params, returns, lower, check: checkPrices(name), examples });

const model = param('model', 'string');
const inputTokens = param('input_tokens', 'long');
const outputTokens = param('output_tokens', 'long');

/** Functions that use the prices of models. */
export const costs: readonly FunctionRecord[] = [
  record(
    'genai_get_pricing',
    'The prices of a model in US dollars per million tokens; null for a model without known prices.',
    'bag',
    [model],
    ([model], context) => {
      const input = priceOf('input', model.sql, context);
      const output = priceOf('output', model.sql, context);
      const entry = (key: string, sql: Expr): { key: LoweredArgument; value: LoweredArgument } => ({
        key: { type: 'string', sql: literal(key), constant: key },
        value: { type: 'real', sql },
      });
      return shareSubexpression(input, (price) =>
        call(
          'if',
          call('isNotNull', price),
          packBag([entry('input_price_per_million', price), entry('output_price_per_million', output)]),
          nullOf('bag'),
        ),
      );
    },
    [
      {
        apl: 'genai_get_pricing("sample-large")',
        gives: { input_price_per_million: 2.5, output_price_per_million: 10 },
      },
      { apl: 'genai_get_pricing("sample-large-2024-08-06").output_price_per_million', gives: 10 },
      { apl: 'genai_get_pricing("unknown")', gives: null },
    ],
  ),
  record(
    'genai_cost',
    'The cost of input and output tokens with a model, in US dollars; null for a model without known prices.',
    'real',
    [model, inputTokens, outputTokens],
    ([model, input, output], context) =>
      call(
        'plus',
        costOf(priceOf('input', model.sql, context), input.sql),
        costOf(priceOf('output', model.sql, context), output.sql),
      ),
    [
      { apl: 'genai_cost("sample-large", 1000000, 100000)', gives: 3.5 },
      { apl: 'genai_cost("sample-free@latest", 5, 5)', gives: 0 },
      { apl: 'genai_cost("unknown", 1, 1)', gives: null },
    ],
  ),
  record(
    'genai_input_cost',
    'The cost of the tokens of a prompt with a model, in US dollars; null for a model without known prices.',
    'real',
    [model, inputTokens],
    ([model, input], context) => costOf(priceOf('input', model.sql, context), input.sql),
    [{ apl: 'genai_input_cost("sample-large", 2000)', gives: 0.005 }],
  ),
  record(
    'genai_output_cost',
    'The cost of the tokens of an answer with a model, in US dollars; null for a model without known prices.',
    'real',
    [model, outputTokens],
    ([model, output], context) => costOf(priceOf('output', model.sql, context), output.sql),
    [{ apl: 'genai_output_cost("sample-large", 2000)', gives: 0.02 }],
  ),
];
