import { askedValue } from '../bind/asked-value.js';
import type { QueryContext } from '../bind/context.js';
import { toType } from '../bind/values/to-type.js';
import type { ConstantScalar, Scalar } from '../plan/scalar.js';
import type { Span, TypeName } from '../syntax/ast.js';

/** `askedValue`, converted to a type before the lookup. */
export const constantAs = (
  scalar: Scalar,
  type: TypeName,
  span: Span,
  query: QueryContext,
): ConstantScalar | undefined => askedValue(toType(scalar, type, span, query), span, query);
