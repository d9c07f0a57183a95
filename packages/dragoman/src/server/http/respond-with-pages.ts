import { once } from 'node:events'

import type { Context } from 'hono'

import { turnBetween } from '../../async/index.ts'
import { feedFromGenerator } from '../fan-out/index.ts'
import { createPageReader, type PageReader } from '../load/index.ts'
import type { HttpEnv } from './http-env.ts'

/** A part of an answer, which is made once the parts before it have been taken. `bytes`: about what it is made from. */
export type AnswerPage = { readonly bytes: number; readonly make: () => Promise<string> }

/**
 * Answers with pages that are made as they are sent. @throws ServiceError `rate-limited` or `overloaded` if there is no
 * room for the first one
 */
export async function respondWithPages(
  c: Context<HttpEnv>,
  pages: AsyncGenerator<AnswerPage>,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, headers)
  const outgoing = (c.env as HttpEnv['Bindings'] | undefined)?.outgoing
  const closing = new AbortController()
  outgoing?.once('close', () => closing.abort())
  const { signal } = closing
  // A queued response would hold the room that earlier ones on its connection need.
  if (outgoing && !outgoing.socket) await once(outgoing, 'socket', { signal })
  const pieces = makePages(pages, createPageReader(c.get('load'), signal))
  c.set('feed', feedFromGenerator(pieces, await pieces.next()))
  return c.body(null, 200, headers)
}

async function* makePages(
  pages: AsyncGenerator<AnswerPage>,
  reader: PageReader,
): AsyncGenerator<Uint8Array, void> {
  const utf8 = new TextEncoder()
  try {
    for await (const { bytes, make } of pages) {
      const encode = async (): Promise<Uint8Array> => {
        const text = await make()
        await turnBetween(bytes)
        return utf8.encode(text)
      }
      yield await reader.make(bytes, encode)
    }
  } finally {
    reader.release()
  }
}
