import { arrayOfValues } from '../../functions/array/pack.js';
import { defineOverload, param } from '../../functions/define.js';
import { packBag } from '../../lower/json/members.js';
import { callOf, constant } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import type { ArrayExpr, BagExpr, DynamicExpr } from '../../syntax/ast.js';
import { isDynamic } from '../../model/types.js';
import type { Scope } from '../context.js';
import { convertTo } from './coerce.js';
import { bindSingle } from '../context.js';

/** `dynamic(…)`; a constant one becomes JSON text at once. */
export function bindDynamic(expr: DynamicExpr, scope: Scope): Scalar {
  const value = bindSingle(expr.value, scope);
  if (isDynamic(value.type)) return value;
  const json = textsOf([value], scope)?.[0];
  return json === undefined ? convertTo(value, 'dynamic') : constant('dynamic', json === 'null' ? null : json);
}

export function bindArray(expr: ArrayExpr, scope: Scope): Scalar {
  const items = expr.items.map((item) => bindSingle(item, scope));
  const texts = textsOf(items, scope);
  if (texts !== undefined) return constant('array', `[${texts.join(',')}]`);
  return callOf('pack_array', arrayOfValues, items);
}

export function bindBag(expr: BagExpr, scope: Scope): Scalar {
  const values = expr.entries.map((entry) => bindSingle(entry.value, scope));
  const texts = textsOf(values, scope);
  const keys = expr.entries.map((entry) => entry.key);
  if (texts !== undefined) {
    const members = [...new Map(keys.map((key, i) => [key, texts[i]]))];
    return constant('bag', `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`);
  }
  const args = values.flatMap((value, i) => [constant('string', keys[i] ?? ''), value]);
  return callOf('bag_pack', bagOfParts, args);
}

/** JSON texts of values that become one constant; undefined if the engine has to make it. */
function textsOf(values: readonly Scalar[], { query }: Scope): readonly string[] | undefined {
  if (values.some(({ kind }) => kind !== 'constant') || !query.expressions.computes(values)) return undefined;
  const texts = values.map(jsonOfConstant);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/**
 * JSON text of a constant; undefined if the scalar is not constant, or if only the engine can write
 * it.
 */
export function jsonOfConstant(scalar: Scalar): string | undefined {
  if (scalar.kind !== 'constant') return undefined;
  const { value, type } = scalar;
  if (value === null) return 'null';
  if (isDynamic(type)) return String(value);
  if (type === 'datetime') return undefined;
  // Without an exponent it would be an integer, which the engine cannot read beyond 64 bits.
  if (typeof value === 'number') return Number.isFinite(value) ? String(value).replace(/^-?\d{19,}$/, '$&e0') : 'null';
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

/** Packs keys and values; unlike `bag_pack`, it need not convert keys. */
const bagOfParts = defineOverload({
  params: [],
  rest: param('part', 'any'),
  returns: 'bag',
  lower: (args) =>
    packBag(
      args.flatMap((key, i) => {
        const value = args[i + 1];
        return i % 2 === 0 && value !== undefined ? [{ key, value }] : [];
      }),
    ),
});
