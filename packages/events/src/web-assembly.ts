/** What is used of `WebAssembly`, which Node has and its types do not declare. */

/** Compiled code. Threads share it when it is sent to them. */
export interface Module {
  readonly [compiled]: true;
}
declare const compiled: unique symbol;

export interface Memory {
  /** Another one when the memory has grown. */
  readonly buffer: ArrayBuffer;
}

interface Api {
  readonly Module: new (bytes: Uint8Array) => Module;
  readonly Instance: new (module: Module, imports: object) => { readonly exports: unknown };
  readonly RuntimeError: new (message: string) => Error;
}

export const { Module, Instance, RuntimeError } = (globalThis as unknown as { readonly WebAssembly: Api }).WebAssembly;
