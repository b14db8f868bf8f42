import { Type } from '@sinclair/typebox';
import { expectTypeOf, test } from 'vitest';
import { compileRenderer } from '../../gateway/http/answer-serialiser.ts';
import type { AccountReference, Session } from '../../gateway/http/authorisation.ts';
import { reply } from '../../gateway/http/reply.ts';
import { route } from '../../gateway/http/route.ts';
import { DecimalInput, Int32, Nullable, OneOf, TimestampInput } from '../../gateway/http/schema.ts';

const shared = { area: 'trading', summary: 'A route that is never called' } as const;

test('a handler sees what the schemas of its route say', () => {
  route({
    ...shared,
    method: 'POST',
    path: '/accounts/{accountId}/orders/{orderId}',
    operation: 'trading-ui',
    account: true,
    query: Type.Object({ limit: Int32({ default: 20 }) }),
    body: Type.Object({
      side: OneOf(['Buy', 'Sell']),
      amount: DecimalInput(),
      until: Type.Optional(Nullable(TimestampInput())),
    }),
    responses: { 200: null },
    handler: ({ params, query, body, account, session }) => {
      expectTypeOf(params).toEqualTypeOf<{
        readonly accountId: string;
        readonly orderId: string;
      }>();
      expectTypeOf(query.limit).toEqualTypeOf<number>();
      expectTypeOf(body.side).toEqualTypeOf<'Buy' | 'Sell'>();
      expectTypeOf(body.amount).toEqualTypeOf<string>();
      expectTypeOf(body.until).toEqualTypeOf<number | null | undefined>();
      expectTypeOf(account).toEqualTypeOf<AccountReference>();
      expectTypeOf(session).toEqualTypeOf<Session>();
    },
  });
});

test('a route without token or account has neither session nor account', () => {
  route({
    ...shared,
    method: 'GET',
    path: '/public',
    operation: 'none',
    responses: { 200: null },
    handler: ({ session, account, body }) => {
      expectTypeOf(session).toEqualTypeOf<undefined>();
      expectTypeOf(account).toEqualTypeOf<undefined>();
      expectTypeOf(body).toEqualTypeOf<undefined>();
    },
  });
});

test('an answer that the route does not declare is a type error', () => {
  const responses = { 200: Type.Object({ id: Type.String() }) };
  route({
    ...shared,
    method: 'GET',
    path: '/wrong-body',
    operation: 'none',
    responses,
    // @ts-expect-error the field is misspelt
    handler: () => ({ idd: '1' }),
  });
  route({
    ...shared,
    method: 'GET',
    path: '/wrong-status',
    operation: 'none',
    responses,
    // @ts-expect-error the status is not declared
    handler: () => reply(202, { id: '1' }),
  });
  const fitting = compileRenderer(responses[200]);
  route({
    ...shared,
    method: 'GET',
    path: '/rendered',
    operation: 'none',
    responses,
    handler: () => fitting({ id: '1' }),
  });
  const other = compileRenderer(Type.Object({ name: Type.String() }));
  route({
    ...shared,
    method: 'GET',
    path: '/wrongly-rendered',
    operation: 'none',
    responses,
    // @ts-expect-error what was rendered is of another schema
    handler: () => other({ name: 'a' }),
  });
});
