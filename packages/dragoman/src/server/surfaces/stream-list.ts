import type { Context } from 'hono'

import type { MessagePage, PageMessage } from '../../threads/index.ts'
import { deliverPages, type AnswerPage, type HttpEnv } from '../http/index.ts'

type ListOptions = {
  /** Fields before and after the list. Those after it are made when it has been written. */
  readonly before?: object
  readonly after?: () => object | Promise<object>
  readonly name: string
  readonly pages: () => AsyncGenerator<ItemPage>
}

/** Unread items of a list, and about their size. */
type ItemPage = { readonly bytes: number; readonly read: () => Promise<readonly object[]> }

/**
 * Responds with a JSON object that contains a list. Pages are read and written as fast as the client takes them.
 * @throws ServiceError `rate-limited` or `overloaded` if there is no room for a large one
 */
export function streamList(c: Context<HttpEnv>, options: ListOptions): Promise<Response> {
  return deliverPages(c, writeJson(options), { 'content-type': 'application/json' })
}

/** The items of the messages of each page. */
export async function* itemPages(
  pages: AsyncGenerator<MessagePage>,
  toItems: (messages: readonly PageMessage[]) => readonly object[] | Promise<readonly object[]>,
): AsyncGenerator<ItemPage> {
  for await (const { bytes, read } of pages) yield { bytes, read: async () => toItems(await read()) }
}

async function* writeJson({ before = {}, after, name, pages }: ListOptions): AsyncGenerator<AnswerPage> {
  const head = JSON.stringify(before).slice(0, -1)
  let start = `${head}${head === '{' ? '' : ','}${JSON.stringify(name)}:[`
  let comma = ''
  for await (const { bytes, read } of pages()) {
    const make = async (): Promise<string> => {
      const items = (await read()).map((item) => JSON.stringify(item)).join(',')
      const text = items === '' ? start : `${start}${comma}${items}`
      if (items !== '') comma = ','
      start = ''
      return text
    }
    yield { bytes, make }
  }
  const tail = JSON.stringify((await after?.()) ?? {}).slice(1)
  yield { bytes: 0, make: async () => `${start}${tail === '}' ? ']}' : `],${tail}`}` }
}
