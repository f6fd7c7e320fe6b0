import { lookUpConstant } from '../bind/look-up-constant.js';
import type { QueryContext } from '../bind/context.js';
import { toType } from '../bind/values/to-type.js';
import type { ConstantScalar, Scalar } from '../plan/scalar.js';
import type { Span, TypeName } from '../syntax/ast.js';

/** `lookUpConstant`, converted to a type before the lookup. */
export const constantAs = (
  scalar: Scalar,
  type: TypeName,
  span: Span,
  query: QueryContext,
): ConstantScalar | undefined => lookUpConstant(toType(scalar, type, span, query), span, query);
