import type { Context } from 'hono'

import { deliverText, type HttpEnv } from '../http/index.ts'

type ListOptions = {
  /** Fields before and after the list. */
  readonly before?: object
  readonly after?: object
  readonly name: string
  readonly items: () => AsyncGenerator<object>
}

/** Responds with a JSON object that contains a list. Items are read and written as fast as the client takes them. */
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
