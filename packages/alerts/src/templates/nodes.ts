/** A template as a tree. */

export type Operand =
  | { readonly kind: 'constant'; readonly value: string | number | boolean | null; readonly at: number }
  /**
   * A value and its field path: of the dot, of a variable (`$` is the root), or of a parenthesized
   * pipeline.
   */
  | {
      readonly kind: 'chain';
      readonly of: 'dot' | { readonly variable: string } | Pipeline;
      readonly fields: readonly string[];
      readonly at: number;
    }
  | { readonly kind: 'function'; readonly name: string; readonly at: number };

export interface Command {
  readonly head: Operand;
  readonly args: readonly Operand[];
}

export interface Pipeline {
  readonly commands: readonly Command[];
  readonly at: number;
}

export interface VariableDeclaration {
  readonly variables: readonly string[];
  /** `=` assigns to an existing variable. */
  readonly assigns: boolean;
}

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly pipeline: Pipeline; readonly declared?: VariableDeclaration }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly pipeline: Pipeline;
      readonly declared?: VariableDeclaration;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    };

/** Nodes with a nested block. */
export type Control = Extract<Node, { readonly body: readonly Node[] }>;
