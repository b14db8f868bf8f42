import { type TSchema, Type } from '@sinclair/typebox';
import type { Area } from './route.ts';

/** The schemas of the bodies that `errorBody` makes. */

const Code = Type.String({ pattern: '^TR[0-9]{4}$' });
const MessagesByField = Type.Record(Type.String(), Type.Array(Type.String()));

const trading = Type.Object({ code: Code, description: Type.String() });

const SCHEMAS: Readonly<Record<Area, TSchema>> = {
  trading,
  public: trading,
  operations: trading,
  identity: Type.Object({
    error: Type.Object({
      message: Type.String(),
      code: Type.Integer(),
      details: Type.Array(Type.Object({ issue: Type.String(), field: Type.String() })),
    }),
  }),
  oauth: Type.Object({ error: Type.String(), error_description: Type.String() }),
  partner: Type.Object({ message: Type.String(), errors: MessagesByField }),
  export: Type.Object({
    message: Type.String(),
    code: Code,
    errors: MessagesByField,
    details: Type.Array(Type.Object({ field: Type.String(), issue: Type.String() })),
  }),
  signed: Type.Object({
    errors: Type.Array(Type.Object({ code: Code, message: Type.String() })),
  }),
};

export function errorSchema(area: Area): TSchema {
  return SCHEMAS[area];
}
