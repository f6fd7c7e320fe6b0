import { and, call, cast, column, integer, lambda, literal, not, select } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import type { AggregateOverload } from '../../aggregates/define.js';
import { defineOverload, param } from '../../functions/define.js';
import type { LoweredArgument, LowerContext, Overload } from '../../functions/define.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { lowerScalar } from '../../lower/scalar.js';
import { instant, nanoseconds } from '../../lower/values.js';
import type { ColumnId, ColumnScalar, Scalar } from '../../plan/scalar.js';
import { clickhouseType, isDynamic } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';

/**
 * The steps of `scan` as a fold over all rows. The state is a tuple: the number of the next
 * sequence, for each step whether it has a sequence and its number, the values that steps remember,
 * and the output rows so far. Rows are folded in chunks, because the engine copies the state for
 * each row.
 */

/**
 * A value that a step stores from a row: a column of it (`of`), read by conditions as the column
 * `id`.
 */
export interface KeptColumn {
  readonly step: number;
  readonly of: ColumnId;
  readonly name: string;
  readonly type: ScalarType;
  readonly id: ColumnId;
  /** The value while the step has found nothing. */
  readonly otherwise: Scalar;
}

export interface Step {
  readonly output: 'all' | 'last' | 'none';
  readonly condition: Scalar;
  /** Values of declared columns. */
  readonly assigned: ReadonlyMap<ColumnId, Scalar>;
}

interface FoldInput {
  /** The number of a row and its columns, as they are given to the aggregate. */
  readonly row: readonly ColumnScalar[];
  readonly own: readonly (ColumnScalar & { readonly otherwise: Scalar })[];
  readonly steps: readonly Step[];
  readonly kept: readonly KeptColumn[];
  /** Columns for values of other tables, given to the aggregate after those of the row. */
  readonly outputColumns: readonly ColumnId[];
}

const CHUNK = 128;
const OUTPUT = 'Array(Tuple(UInt32, Int64, String))';

const at = (tuple: Expr, place: number): Expr => call('tupleElement', tuple, integer(place));

/** A cell as JSON: a text of the value, or null. */
const cell = ({ sql, type }: LoweredArgument): Expr => {
  const text =
    type === 'datetime' || type === 'timespan'
      ? call('toString', type === 'datetime' ? nanoseconds(sql) : sql)
      : isDynamic(type) || type === 'string'
        ? sql
        : call('toString', sql);
  return call('ifNull', call('toJSONString', text), literal('null'));
};

/** Reads a cell of a row that was found. */
export const cellOf = (type: ScalarType, place: number): Overload =>
  defineOverload({
    params: [param('row', 'dynamic')],
    returns: type,
    lower: ([row]) => {
      const text = call(
        'JSONExtract',
        call('ifNull', row.sql, literal('')),
        integer(place),
        literal('Nullable(String)'),
      );
      switch (type) {
        case 'long':
          return call('toInt64OrNull', text);
        case 'timespan':
          return call('toInt64OrNull', text);
        case 'datetime':
          return instant(call('toInt64OrNull', text));
        case 'real':
          return call('toFloat64OrNull', text);
        case 'bool':
          return cast(call('equals', text, literal('true')), clickhouseType.bool);
        default:
          return text;
      }
    },
  });

/** The aggregate that gives the rows found as an array. */
export const foldedRows = (folded: FoldInput): AggregateOverload => ({
  params: [],
  rest: param('value', 'any'),
  returns: 'array',
  lower: (args, context) => {
    const tuple = call('tuple', ...args.map(({ sql, type }) => cast(sql, clickhouseType[type])));
    const rows = call('arraySort', lambda(['r'], at(column('r'), 1)), call('groupArray', tuple));
    const chunks = call(
      'arraySplit',
      lambda(['r', 'i'], call('equals', call('modulo', column('i'), integer(CHUNK)), integer(0))),
      rows,
      call('arrayEnumerate', rows),
    );
    const types = args.map(({ type }) => type);
    const state = new State(folded, types, context);
    const inner = call(
      'arrayFold',
      lambda(['state', 'row'], state.after(column('state'), column('row'))),
      column('chunk'),
      state.without(column('all')),
    );
    const outer = call(
      'arrayFold',
      lambda(
        ['all', 'chunk'],
        shareSubexpression(inner, (done) => state.joinStates(column('all'), done)),
      ),
      chunks,
      state.start(),
    );
    return shareSubexpression(state.outputs(outer), (found) =>
      call('concat', literal('['), call('arrayStringConcat', last(found, folded.steps), literal(',')), literal(']')),
    );
  },
});

/** Of steps that give only the last of the rows that they found in a sequence, that one. */
function last(found: Expr, steps: readonly Step[]): Expr {
  const texts = (rows: Expr): Expr => call('arrayMap', lambda(['o'], at(column('o'), 3)), rows);
  const onlyLast = steps.flatMap(({ output }, i) => (output === 'last' ? [integer(i)] : []));
  if (onlyLast.length === 0) return texts(found);
  const backwards = call('arrayReverse', found);
  const sequence = call('arrayMap', lambda(['o'], call('tuple', at(column('o'), 1), at(column('o'), 2))), backwards);
  const stays = call(
    'or',
    call('equals', column('n'), integer(1)),
    not(call('has', call('array', ...onlyLast), at(column('o'), 1))),
  );
  return texts(
    call(
      'arrayReverse',
      call('arrayFilter', lambda(['o', 'n'], stays), backwards, call('arrayEnumerateUniq', sequence)),
    ),
  );
}

/** Where things are in the tuple that is carried. */
class State {
  readonly #slots: readonly { readonly step: number; readonly kept: KeptColumn }[];
  readonly #input: FoldInput;
  readonly #types: readonly ScalarType[];
  readonly #context: LowerContext;
  readonly #type: string;

  constructor(folded: FoldInput, types: readonly ScalarType[], context: LowerContext) {
    this.#input = folded;
    this.#types = types;
    this.#context = context;
    // The state of a step contains the stored values of it and all previous steps.
    this.#slots = folded.steps.flatMap((_, step) =>
      folded.kept.filter((kept) => kept.step <= step).map((kept) => ({ step, kept })),
    );
    const parts = [
      'Int64',
      ...folded.steps.flatMap(() => ['UInt8', 'Int64']),
      ...this.#slots.map(({ kept }) => clickhouseType[kept.type]),
      OUTPUT,
    ];
    this.#type = `Tuple(${parts.join(', ')})`;
  }

  get #last(): number {
    return 2 + 2 * this.#input.steps.length + this.#slots.length;
  }

  #makeState(parts: readonly Expr[]): Expr {
    return cast(call('tuple', ...parts), this.#type);
  }

  start(): Expr {
    const none = cast(call('array'), OUTPUT);
    const slots = this.#slots.map(({ kept }) => this.#lowerScalar(kept.otherwise, new Map()));
    return this.#makeState([integer(0), ...this.#input.steps.flatMap(() => [integer(0), integer(0)]), ...slots, none]);
  }

  outputs(state: Expr): Expr {
    return at(state, this.#last);
  }

  /** The state without the rows found. */
  without(state: Expr): Expr {
    return this.#makeState([...this.#parts(state).slice(0, -1), cast(call('array'), OUTPUT)]);
  }

  /** A state with the rows of an earlier one before its own. */
  joinStates(before: Expr, state: Expr): Expr {
    return this.#makeState([
      ...this.#parts(state).slice(0, -1),
      call('arrayConcat', this.outputs(before), this.outputs(state)),
    ]);
  }

  #parts(state: Expr): readonly Expr[] {
    return Array.from({ length: this.#last }, (_, i) => at(state, i + 1));
  }

  #lowerScalar(scalar: Scalar, columns: ReadonlyMap<ColumnId, Expr>): Expr {
    return lowerScalar(scalar, { columns, context: this.#context, query: () => select({ columns: [] }) }).sql;
  }

  /** The state after one more row: the steps process it one after the other, the last one first. */
  after(state: Expr, row: Expr): Expr {
    const steps = this.#input.steps.map((_, i) => i).toReversed();
    const [first, ...others] = steps;
    const through = (open: Expr, [step, ...rest]: readonly number[]): Expr =>
      step === undefined ? open : shareSubexpression(this.#afterStep(open, row, step), (next) => through(next, rest));
    return shareSubexpression(this.#afterStep(state, row, first!), (next) => through(next, others));
  }

  /**
   * The values visible to a step: the row's, and those stored by steps in the state of one of them.
   */
  #visibleValues(state: Expr, row: Expr, own: number, from: number): ReadonlyMap<ColumnId, Expr> {
    const { row: columns, kept, outputColumns, own: declared } = this.#input;
    const empty = new Map<ColumnId, Expr>();
    return new Map([
      ...columns.map(({ id }, i) => [id, at(row, i + 1)] as const),
      ...outputColumns.map((id, i) => [id, at(row, columns.length + i + 1)] as const),
      ...declared.map(({ id, otherwise }) => [id, this.#lowerScalar(otherwise, empty)] as const),
      ...kept
        .filter(({ step }) => step <= own)
        .map((one) => {
          const slot = this.#slots.findIndex(({ step, kept: here }) => step === from && here === one);
          return [one.id, slot < 0 ? this.#lowerScalar(one.otherwise, empty) : at(state, this.#place(slot))] as const;
        }),
    ]);
  }

  #place(slot: number): number {
    return 2 + 2 * this.#input.steps.length + slot;
  }

  #afterStep(state: Expr, row: Expr, step: number): Expr {
    const { steps, own, row: columns } = this.#input;
    const { condition, assigned, output } = steps[step]!;
    const open = (of: number): Expr => at(state, 2 + 2 * of);
    const sequence = (of: number): Expr => at(state, 3 + 2 * of);
    const isTrue = (seen: ReadonlyMap<ColumnId, Expr>): Expr =>
      call('ifNull', this.#lowerScalar(condition, seen), literal(false));
    const goingOn = this.#visibleValues(state, row, step, step);
    const moving = this.#visibleValues(state, row, step, step - 1);
    const moves = step === 0 ? literal(false) : and(call('equals', open(step - 1), integer(1)), isTrue(moving));
    return shareSubexpression(call('toUInt8', moves), (moved) => {
      const stays = step === 0 ? isTrue(goingOn) : and(call('equals', open(step), integer(1)), isTrue(goingOn));
      return shareSubexpression(call('toUInt8', call('if', moved, literal(true), stays)), (found) => {
        const either = (a: Expr, b: Expr): Expr => (step === 0 ? b : call('if', moved, a, b));
        const values = own.map(({ id, otherwise, type }) => {
          const value = assigned.get(id);
          const sql =
            value === undefined
              ? this.#lowerScalar(otherwise, new Map())
              : either(this.#lowerScalar(value, moving), this.#lowerScalar(value, goingOn));
          return { id, sql: cast(sql, clickhouseType[type]), type };
        });
        const number = either(
          sequence(step - 1),
          call('if', call('equals', open(step), integer(1)), sequence(step), at(state, 1)),
        );
        const starts = step === 0 ? and(found, call('equals', open(0), integer(0))) : literal(false);
        const opened = steps.flatMap((_, i) => {
          if (i === step) return [call('if', found, integer(1), open(i)), call('if', found, number, sequence(i))];
          return i === step - 1 ? [call('if', moved, integer(0), open(i)), sequence(i)] : [open(i), sequence(i)];
        });
        const slots = this.#slots.map(({ step: of, kept }, slot) => {
          const before = at(state, this.#place(slot));
          // A sequence that moved to the next step has left the previous one.
          if (of === step - 1) return call('if', moved, this.#lowerScalar(kept.otherwise, new Map()), before);
          if (of !== step) return before;
          if (kept.step === step) return call('if', found, this.#valueOf(kept.of, row, values), before);
          const earlier = this.#slots.findIndex(({ step: there, kept: here }) => there === step - 1 && here === kept);
          return call('if', moved, at(state, this.#place(earlier)), before);
        });
        const cells = [
          call('toJSONString', call('toString', number)),
          ...columns.slice(1).map((_, i) => cell({ sql: at(row, i + 2), type: this.#types[i + 1]! })),
          ...values.map(cell),
        ];
        const json = call(
          'concat',
          literal('[null,'),
          call('arrayStringConcat', call('array', ...cells), literal(',')),
          literal(']'),
        );
        const outputs = this.outputs(state);
        const more =
          output === 'none'
            ? outputs
            : call('if', found, call('arrayPushBack', outputs, call('tuple', integer(step), number, json)), outputs);
        const next = call('if', starts, call('plus', at(state, 1), integer(1)), at(state, 1));
        return this.#makeState([next, ...opened, ...slots, more]);
      });
    });
  }

  #valueOf(id: ColumnId, row: Expr, values: readonly { readonly id: ColumnId; readonly sql: Expr }[]): Expr {
    const own = values.find((value) => value.id === id);
    return own?.sql ?? at(row, this.#input.row.findIndex((each) => each.id === id) + 1);
  }
}
