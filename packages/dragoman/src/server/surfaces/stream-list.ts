import type { Context } from 'hono'

import { deliverText, type HttpEnv } from '../http/index.ts'

type ListOptions = {
  /** What stands before the list, and what stands after it. */
  readonly before?: object
  readonly after?: object
  readonly name: string
  readonly items: () => AsyncGenerator<object>
}

/**
 * Answers with a JSON object that has a list in it. The items are read and written as fast as the client takes them.
 */
export function streamList(c: Context<HttpEnv>, options: ListOptions): Response {
  const headers = { 'content-type': 'application/json' }
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, headers)
  return deliverText(c, writeJson(options), headers)
}

async function* writeJson({ before = {}, after = {}, name, items }: ListOptions): AsyncGenerator<string> {
  const head = JSON.stringify(before).slice(0, -1)
  yield `${head}${head === '{' ? '' : ','}${JSON.stringify(name)}:[`
  let comma = ''
  for await (const item of items()) {
    yield `${comma}${JSON.stringify(item)}`
    comma = ','
  }
  const tail = JSON.stringify(after).slice(1)
  yield tail === '}' ? ']}' : `],${tail}`
}
