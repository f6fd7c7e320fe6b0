import { readFile } from 'node:fs/promises';
import type { ModelPrice } from '@millrace/apl';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { SettingError } from '@millrace/http/settings/settings';

const Prices = Type.Record(
  Type.String(),
  Type.Object({ input: Type.Number({ minimum: 0 }), output: Type.Number({ minimum: 0 }) }),
);

/**
 * Loads the prices of language models, for the functions that compute the cost of a conversation.
 * The file is a JSON object: model name → `{"input": …, "output": …}`, US dollars per million
 * tokens.
 * @throws SettingError
 */
export async function loadModelPrices(path: string): Promise<ReadonlyMap<string, ModelPrice>> {
  const parsed = await readJson(path);
  if (!Value.Check(Prices, parsed))
    throw new SettingError('modelPrices', `${path} must be an object of {"model": {"input": 2.5, "output": 10}}`);
  return new Map(Object.entries(parsed));
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new SettingError(
      'modelPrices',
      `${path} cannot be read: ${error instanceof Error ? error.message : 'unknown'}`,
      {
        cause: error,
      },
    );
  }
}
