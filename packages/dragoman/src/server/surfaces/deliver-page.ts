import type { Context } from 'hono'

import { deliverPages, type AnswerPage, type HttpEnv } from '../http/index.ts'

/** Responds with JSON that is made at once. @throws what making it throws */
export function deliverPage(
  c: Context<HttpEnv>,
  page: AnswerPage,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const pages = async function* (): AsyncGenerator<AnswerPage> {
    yield page
  }
  return deliverPages(c, pages(), { 'content-type': 'application/json', ...headers })
}
