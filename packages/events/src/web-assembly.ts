/** The parts of `WebAssembly` used here: Node has it, but its types do not declare it. */

/** Compiled code. Threads it is sent to share it. */
export interface Module {
  readonly [moduleBrand]: true;
}
declare const moduleBrand: unique symbol;

export interface Memory {
  /** A different buffer once the memory has grown. */
  readonly buffer: ArrayBuffer;
}

interface Api {
  readonly Module: new (bytes: Uint8Array) => Module;
  readonly Instance: new (module: Module, imports: object) => { readonly exports: unknown };
  readonly RuntimeError: new (message: string) => Error;
}

export const { Module, Instance, RuntimeError } = (globalThis as unknown as { readonly WebAssembly: Api }).WebAssembly;
