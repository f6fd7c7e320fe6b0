import type {
  Argument,
  Expr,
  LiteralExpr,
  Name,
  NamedExpr,
  NamePattern,
  Operator,
  Option,
  Program,
  SortKey,
  Statement,
  StringTestExpr,
  TableSource,
  Tabular,
  TypedName,
} from '../syntax/ast.js';
import { escapeStars } from '../syntax/stars.js';

/**
 * Prints a syntax tree compactly, so that a test shows in one line how a text was parsed:
 * `(== status "500")`. Quoted names are in single quotes, strings in double quotes; timespans are
 * nanoseconds, datetimes nanoseconds since 1970 after `@`.
 */
export function printProgram({ statements, query }: Program): string {
  return [...statements.map(printStatement), ...(query === undefined ? [] : [printTabular(query)])].join('; ');
}

function printStatement(statement: Statement): string {
  switch (statement.kind) {
    case 'let':
      return list('let', printName(statement.name), printValue(statement.value));
    case 'letFunction': {
      const params = statement.params.map((param) => {
        const typed = printTyped(param) + (param.tabular === true ? ':table' : '');
        return param.default === undefined ? typed : `${typed}=${printExpr(param.default)}`;
      });
      return list(
        'function',
        printName(statement.name),
        `(${params.join(' ')})`,
        ...statement.statements.map(printStatement),
        printValue(statement.body),
      );
    }
    case 'set':
      return list('set', printName(statement.name), statement.value && printExpr(statement.value));
    case 'declare':
      return list(
        'declare',
        ...statement.params.map((param) => printTyped(param) + (param.default ? `=${printExpr(param.default)}` : '')),
      );
  }
}

const printValue = (value: Expr | Tabular): string =>
  value.kind === 'pipeline' ? `(${printTabular(value)})` : printExpr(value);

function printTabular({ source, operators }: Tabular): string {
  return [printSource(source), ...operators.map(printOperator)].filter((part) => part !== '').join(' | ');
}

function printSource(source: TableSource): string {
  switch (source.kind) {
    case 'table':
      return source.quoted ? `'${printPattern(source.pattern)}'` : source.pattern.text;
    case 'tableOf':
      return list('table', printExpr(source.name));
    case 'call':
      return list(printName(source.callee), ...source.args.map(printArgument));
    case 'print':
      return list('print', ...source.columns.map(printNamed));
    case 'range':
      return list('range', printName(source.name), ...[source.from, source.to, source.step].map(printExpr));
    case 'datatable':
      return list('datatable', ...source.columns.map(printTyped), '|', ...source.cells.map(printExpr));
    case 'externaldata':
      return list(
        'externaldata',
        ...source.columns.map(printTyped),
        '|',
        ...source.urls.map(printExpr),
        ...source.options.map(printOption),
      );
    case 'nested':
      return `(${printTabular(source.query)})`;
    case 'none':
      return '';
    case 'error':
      return '<error>';
  }
}

function printOperator(operator: Operator): string {
  const { kind } = operator;
  switch (kind) {
    case 'where':
      return list(kind, printExpr(operator.predicate));
    case 'extend':
      return list(operator.valid ? 'extend-valid' : kind, ...operator.columns.map(printNamed));
    case 'project':
    case 'distinct':
    case 'serialize':
      return list(kind, ...operator.columns.map(printNamed));
    case 'project-away':
    case 'project-keep':
      return list(kind, ...operator.columns.map(printPattern));
    case 'project-rename':
      return list(kind, ...operator.renames.map(({ to, from }) => `${printName(to)}=${printName(from)}`));
    case 'project-reorder':
      return list(
        kind,
        ...operator.items.map(({ pattern, order }) => printPattern(pattern) + (order === undefined ? '' : `:${order}`)),
      );
    case 'summarize':
      return list(kind, ...operator.aggregates.map(printNamed), by(operator.by));
    case 'count':
    case 'getschema':
      return kind;
    case 'take':
      return list(kind, operator.count && printExpr(operator.count));
    case 'sample':
      return list(kind, printExpr(operator.fraction));
    case 'sample-distinct':
      return list(kind, printExpr(operator.count), ...(operator.columns ?? []).map(printNamed));
    case 'sort':
      return list(kind, ...operator.keys.map(printKey));
    case 'top':
      return list(kind, printExpr(operator.count), printKey(operator.key));
    case 'scan':
      return list(
        kind,
        operator.matchId && `id=${operator.matchId.text}`,
        ...operator.declared.map(
          ({ name, type, default: otherwise }) =>
            `${name.text}:${type}${otherwise === undefined ? '' : `=${printExpr(otherwise)}`}`,
        ),
        ...operator.steps.map((step) =>
          list(step.name.text, step.output, printExpr(step.condition), ...step.assigned.map(printNamed)),
        ),
      );
    case 'top-hitters':
      return list(
        kind,
        printExpr(operator.count),
        printNamed(operator.of),
        ...(operator.by ? ['by', printExpr(operator.by)] : []),
      );
    case 'top-nested':
      return list(
        kind,
        ...operator.levels.map((level) =>
          list(
            level.count ? printExpr(level.count) : 'all',
            printNamed(level.of),
            level.withOthers && `others=${printExpr(level.withOthers)}`,
            'by',
            printNamed(level.by),
            level.direction,
          ),
        ),
      );
    case 'parse':
      return list(
        operator.filter ? 'parse-where' : kind,
        operator.mode,
        operator.flags && `flags=${operator.flags}`,
        printExpr(operator.source),
        ...operator.pattern.map((segment) => {
          if (segment.kind === 'text') return JSON.stringify(segment.text);
          return segment.kind === 'skip' ? '*' : `${printName(segment.name)}:${segment.type}`;
        }),
      );
    case 'parse-kv':
      return list(
        kind,
        printExpr(operator.source),
        ...operator.keys.map(printTyped),
        ...operator.options.map(printOption),
      );
    case 'mv-expand':
      return list(
        kind,
        operator.bag && 'bag',
        operator.itemIndex && `index=${printName(operator.itemIndex)}`,
        ...operator.columns.map((column) => printNamed(column) + (column.to === undefined ? '' : `:${column.to}`)),
        operator.limit && `limit=${printExpr(operator.limit)}`,
      );
    case 'mv-apply':
      return list(
        kind,
        operator.bag && 'bag',
        operator.itemIndex && `index=${printName(operator.itemIndex)}`,
        ...operator.columns.map((column) => printNamed(column) + (column.to === undefined ? '' : `:${column.to}`)),
        operator.limit && `limit=${printExpr(operator.limit)}`,
        ...operator.body.map(printOperator),
      );
    case 'make-series':
      return list(
        kind,
        ...operator.aggregates.map((series) => printNamed(series) + defaultOf(series.default ?? operator.default)),
        `on=${printExpr(operator.on)}`,
        operator.from && `from=${printExpr(operator.from)}`,
        operator.to && `to=${printExpr(operator.to)}`,
        `step=${printExpr(operator.step)}`,
        by(operator.by),
      );
    case 'join':
    case 'lookup':
      return list(
        kind,
        operator.join,
        `(${printTabular(operator.right)})`,
        ...operator.on.map(
          ({ left, right }) => `${printExpr(left)}${right === undefined ? '' : `=${printExpr(right)}`}`,
        ),
      );
    case 'union':
      return list(
        kind,
        operator.withSource && `source=${printName(operator.withSource)}`,
        ...operator.tables.map((table) => `(${printTabular(table)})`),
      );
    case 'search':
      return list(
        operator.caseSensitive ? 'search_cs' : kind,
        operator.within && `[${operator.within.datasets.map(printPattern).join(' ')}]`,
        printExpr(operator.predicate),
      );
    case 'redact':
      return list(
        kind,
        ...operator.options.map(printOption),
        ...operator.patterns.map(printExpr),
        operator.on.length > 0 && `on=[${operator.on.map(printName).join(' ')}]`,
      );
    case 'as':
      return list(kind, printName(operator.name));
    case 'reduce':
      return list(kind, printExpr(operator.by), ...operator.options.map(printOption));
    case 'evaluate': {
      const { schema } = operator;
      const columns = schema && list(schema.keeps && '*', ...schema.columns.map(printTyped));
      return list(kind, printName(operator.plugin), ...operator.args.map(printArgument), columns && `:${columns}`);
    }
    case 'partition':
      return list(kind, printExpr(operator.by), ...operator.body.map(printOperator));
    case 'fork':
      return list(
        kind,
        ...operator.branches.map(
          ({ name, body }) => (name === undefined ? '' : `${printName(name)}=`) + list(...body.map(printOperator)),
        ),
      );
    case 'facet':
      return list(
        kind,
        ...operator.columns.map(printNamed),
        operator.body && list('with', ...operator.body.map(printOperator)),
      );
    case 'find':
      return list(
        kind,
        operator.withSource && `source=${printName(operator.withSource)}`,
        operator.within && `in (${operator.within.datasets.map(printPattern).join(' ')})`,
        printExpr(operator.predicate),
        operator.columns && list('project', ...operator.columns.map(printNamed)),
      );
    case 'invoke':
      return list(kind, printName(operator.callee), ...operator.args.map(printArgument));
    case 'render':
      return list(kind, printName(operator.chart), ...operator.options.map(printOption));
    case 'error':
      return '<error>';
  }
}

export function printExpr(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return printLiteral(expr);
    case 'name':
      return printName(expr.name);
    case 'member':
      return list('.', printExpr(expr.object), printName(expr.member));
    case 'index':
      return list('[]', printExpr(expr.object), printExpr(expr.index));
    case 'spread':
      return list('[*]', printExpr(expr.object));
    case 'call':
      return list(printName(expr.callee), ...expr.args.map(printArgument));
    case 'unary':
      return list(expr.op, printExpr(expr.operand));
    case 'binary':
      return list(expr.op, printExpr(expr.left), printExpr(expr.right));
    case 'stringTest':
      return list(stringOperatorName(expr), printExpr(expr.left), printExpr(expr.right));
    case 'membership': {
      const mark = expr.op === 'in' ? (expr.caseSensitive ? '' : '~') : expr.caseSensitive ? '_cs' : '';
      const values = 'kind' in expr.list ? [`(${printTabular(expr.list)})`] : expr.list.map(printExpr);
      return list(`${expr.negated ? '!' : ''}${expr.op}${mark}`, printExpr(expr.left), ...values);
    }
    case 'between':
      return list(expr.negated ? '!between' : 'between', ...[expr.operand, expr.low, expr.high].map(printExpr));
    case 'array':
      return `[${expr.items.map(printExpr).join(' ')}]`;
    case 'bag':
      return `{${expr.entries.map(({ key, value }) => `${JSON.stringify(key)}:${printExpr(value)}`).join(' ')}}`;
    case 'dynamic':
      return list('dynamic', printExpr(expr.value));
    case 'typeof':
      return list('typeof', expr.type);
    case 'star':
      return '*';
    case 'tabular':
      return `(${printTabular(expr.query)})`;
    case 'error':
      return '<error>';
  }
}

function stringOperatorName({ op, negated, caseSensitive }: StringTestExpr): string {
  if (op === 'equals') return negated ? '!~' : '=~';
  if (op === 'term') return ':';
  return `${negated ? '!' : ''}${op}${caseSensitive && op !== 'matches regex' ? '_cs' : ''}`;
}

function printLiteral({ type, value }: LiteralExpr): string {
  if (value === null) return `null:${type}`;
  switch (type) {
    case 'string':
      return JSON.stringify(value);
    case 'real':
      return Number.isInteger(value) ? `${value}.0` : String(value);
    case 'timespan':
      return `${value}ns`;
    case 'datetime':
      return `@${value}`;
    default:
      return String(value);
  }
}

const list = (...parts: readonly (string | false | undefined)[]): string =>
  `(${parts.filter((part) => part !== undefined && part !== false && part !== '').join(' ')})`;

const by = (groups: readonly NamedExpr[]): string =>
  groups.length > 0 ? `by ${groups.map(printNamed).join(' ')}` : '';

const printName = ({ text, quoted }: Name): string => (quoted ? `'${text}'` : text);

const printPattern = ({ text, wildcard }: NamePattern): string => (wildcard ? text : escapeStars(text));

const printTyped = ({ name, type }: TypedName): string => printName(name) + (type === undefined ? '' : `:${type}`);

const printOption = ({ name, value }: Option): string => `${printName(name)}=${printExpr(value)}`;

const printArgument = ({ name, value }: Argument): string =>
  name === undefined ? printExpr(value) : `${printName(name)}=${printExpr(value)}`;

const printNamed = ({ names, ...column }: NamedExpr): string =>
  names === undefined ? printArgument(column) : `(${names.map(printName).join(' ')})=${printExpr(column.value)}`;

function printKey({ value, direction, nulls }: SortKey): string {
  return [printExpr(value), direction, nulls && `nulls-${nulls}`].filter(Boolean).join(':');
}

const defaultOf = (value: Expr | undefined): string => (value === undefined ? '' : `?${printExpr(value)}`);
