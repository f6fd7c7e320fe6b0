import { type Engine, EngineError, type Insert } from '@millrace/engine';

/** An engine that rejects every insert that contains a text. */
export const refusingEngine =
  (text: string) =>
  (engine: Engine): Engine =>
    new Proxy(engine, {
      get: (target, name: keyof Engine) => {
        if (name === 'insert')
          return async (what: Insert) => {
            if (what.chunks.some((chunk) => Buffer.from(chunk).includes(text)))
              throw new EngineError('rejected', 'a test wants it');
            return engine.insert(what);
          };
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
