/** An answer whose status or headers differ from what the route says by itself. */
export class Reply<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(status: Status, body: Body, headers: Readonly<Record<string, string>> | undefined) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/**
 * A body that is JSON text already, in the form that the route declares for its success. It goes out
 * as it is: what another thread has rendered need not be read and written once more.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A body of type T that has been rendered: as bytes, because what goes out many times over need not be
 * encoded each time. `compileRenderer` makes what makes them.
 */
export class RenderedJson<T> {
  readonly bytes: Uint8Array;
  /** Only for the compiler: what the bytes say, so that they fit the route that answers them. */
  declare protected readonly body: T;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** An answer with this status; the body must fit the schema that the route declares for it. */
export function reply<const S extends number, B>(
  status: S,
  body: B,
  headers?: Readonly<Record<string, string>>,
): Reply<S, B> {
  return new Reply(status, body, headers);
}

/** 201 with this body. */
export function created<B>(body: B, headers?: Readonly<Record<string, string>>): Reply<201, B> {
  return new Reply(201, body, headers);
}

/** An answer without a body. */
export function empty<const S extends number>(
  status: S,
  headers?: Readonly<Record<string, string>>,
): Reply<S, null> {
  return new Reply(status, null, headers);
}

/** 302 to this address. */
export function redirect(location: string): Reply<302, null> {
  return new Reply(302, null, { location });
}
