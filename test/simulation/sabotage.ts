export type Method = (this: object, ...parameters: unknown[]) => unknown;
export type Undo = () => void;

/** Puts another method in the place of one; returns how to put it back. */
export function replace(prototype: object, name: string, make: (original: Method) => Method): Undo {
  const original = Reflect.get(prototype, name) as Method;
  Reflect.set(prototype, name, make(original));
  return () => Reflect.set(prototype, name, original);
}

/** Every so many calls, something else happens instead. */
export function everyNth(
  n: number,
  instead: (original: Method) => Method,
): (original: Method) => Method {
  let calls = 0;
  return (original) => {
    const other = instead(original);
    return function (this: object, ...parameters: unknown[]) {
      calls++;
      return (calls % n === 0 ? other : original).apply(this, parameters);
    };
  };
}

export const nothing = (): Method => () => undefined;
