import { Type, type Static, type TObject } from 'typebox';
import type { RequiredPermission } from '@millrace/http/access/authorize';
import type { AgentContext } from './context.js';

/** Definition of a tool. The list that clients see, validation and the docs derive from it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the agent: when to use it, and what it returns. */
  readonly description: string;
  readonly input: TObject;
  /** A right beyond that to query; without it the tool is not listed. */
  readonly need?: RequiredPermission;
  /** Schema of `structured`, for tools whose text is short enough to be sent twice. */
  readonly output?: TObject;
  /** @throws HttpError, EngineError, QueryProblem */
  run(args: unknown, context: AgentContext): Promise<ToolAnswer>;
}

interface ToolAnswer {
  readonly text: string;
  readonly structured?: Readonly<Record<string, unknown>>;
}

type ToolOf<Input extends TObject> = Omit<Tool, 'input' | 'run'> & {
  readonly input: Input;
  run(args: Static<Input>, context: AgentContext): Promise<ToolAnswer>;
};

/** Declares a tool; its arguments are typed by the schema. */
export function tool<const Input extends TObject>(declared: ToolOf<Input>): Tool {
  // The server validates arguments against the schema before it calls `run`.
  return declared as unknown as Tool;
}

/** Arguments that several tools have. */
export const dataset = Type.String({ minLength: 1, description: 'Name of a dataset or view.' });

export const where = Type.Optional(
  Type.String({ description: "Condition in APL, such as status >= 500 and service == 'checkout'." }),
);

export const times = {
  startTime: Type.Optional(
    Type.String({ description: 'RFC 3339 or relative, such as now-15m; inclusive. Default: now-1h.' }),
  ),
  endTime: Type.Optional(Type.String({ description: 'Same formats. Default: now.' })),
};

/** Arguments of an object schema that allows no others, so that a misspelled one is an error. */
export const exactObject = <const Properties extends Parameters<typeof Type.Object>[0]>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

export const limit = (standard: number, of: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: `Maximum ${of}. Default: ${standard}.` }));
