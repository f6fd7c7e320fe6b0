import { bindExtend } from './extend.js';
import type { BindOperator } from './define.js';

/** `serialize a = row_number(), …`: rows always have an order, so this is `extend`. */
export const bindSerialize: BindOperator<'serialize'> = ({ columns, span }, input, context) =>
  columns.length === 0 ? input : bindExtend({ kind: 'extend', valid: false, columns, span }, input, context);
