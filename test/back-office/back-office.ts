import type { Answer, ApiClient, SendOptions } from '../support/api-client.ts';

export const BACK_OFFICE = '/back-api/backoffice';

/** `200`, or `400 TR0600`: how an answer is to be compared. */
export const outcome = ({ status, code }: Answer): string =>
  code === '' ? String(status) : `${status} ${code}`;

export function put<T = unknown>(
  client: ApiClient,
  path: string,
  body: unknown,
  options?: SendOptions,
): Promise<Answer<T>> {
  return client.send<T>('PUT', path, body, options);
}
